package dev.parley.bench.prove.hostile;

import java.util.List;
import java.util.Map;

/**
 * The result of the proof.
 *
 * @param undisturbed the honest callers alone
 * @param beside the honest callers beside the attacks
 * @param strikes how often each attack was carried out
 * @param violations broken promises in words; none if it holds
 */
record HostileFinding(
        HonestFigures.Phase undisturbed,
        HonestFigures.Phase beside,
        Map<String, Long> strikes,
        List<String> violations) {
    double ratio() {
        return beside.millis().p99() / undisturbed.millis().p99();
    }
}
