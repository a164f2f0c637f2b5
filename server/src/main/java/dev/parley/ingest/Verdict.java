package dev.parley.ingest;

import dev.parley.log.Engagement;
import dev.parley.protocol.Actor;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether an agent answers what was brought, and why or why not.
 *
 * @param runId the run that answers, if it is one of ours
 */
public record Verdict(boolean run, String reason, @Nullable String runId) {
    /** Reasons that hold only until the same message comes addressed to an agent; limits and switches are none. */
    private static final Set<String> UNTIL_ADDRESSED = Set.of("passive", "not_mentioned");

    /**
     * What was decided about a message, told in one word.
     *
     * @param agent whose answer is told first, if there are several agents
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

    private static Optional<Engagement> first(List<Engagement> engagement, Predicate<Engagement> which) {
        return engagement.stream().filter(which).findFirst();
    }

    /** Whether a twin that addresses an agent may still have it answered. */
    boolean mayBeRaised() {
        return !run && UNTIL_ADDRESSED.contains(reason);
    }
}
