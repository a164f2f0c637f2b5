package dev.parley.bench.prove;

import java.util.List;
import java.util.Map;

/**
 * What the proof of deliveries came to.
 *
 * @param kills of the server
 * @param brought messages that platforms brought, each acknowledged
 * @param states how many parts of replies ended how
 * @param faults how often a platform's answer or a call was lost, or came too late
 * @param violations broken promises in words; none if it holds
 */
record DeliveryFinding(
        long seed, int kills, int brought, Map<String, Long> states, int faults, List<String> violations) {
    boolean holds() {
        return violations.isEmpty();
    }
}
