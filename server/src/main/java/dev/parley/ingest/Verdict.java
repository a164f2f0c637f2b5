package dev.parley.ingest;

import dev.parley.log.Engagement;
import dev.parley.protocol.Actor;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The decision whether an agent answers an inbound message, with its reason.
 *
 * @param runId the answering run; null if the server drives none
 */
public record Verdict(boolean run, String reason, @Nullable String runId) {
    /** The reasons that a twin overrides if it addresses an agent. Limits and switches are never overridden. */
    private static final Set<String> UNTIL_ADDRESSED = Set.of("passive", "not_mentioned");

    /**
     * The verdict about a message, by the engagement of all agents.
     *
     * @param agent the agent whose decision counts first, if there are several agents
     */
    static Verdict of(List<Engagement> engagement, Actor agent) {
        Predicate<Engagement> own = each -> each.agent().equals(agent);
        return first(engagement, own.and(Engagement::respond))
                .or(() -> first(engagement, Engagement::respond))
                .or(() -> first(engagement, own))
                .or(() -> first(engagement, each -> true))
                .map(each -> new Verdict(each.respond(), each.reason(), each.run()))
                .orElse(new Verdict(false, "no_agent", null));
    }

    private static Optional<Engagement> first(List<Engagement> engagement, Predicate<Engagement> filter) {
        return engagement.stream().filter(filter).findFirst();
    }

    /** True if a twin that addresses an agent may still cause an answer. */
    boolean mayBeRaised() {
        return !run && UNTIL_ADDRESSED.contains(reason);
    }
}
