package dev.parley.contexts;

import dev.parley.log.Effect;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.TokenUsage;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that an agent reports with the last event of its run, written in the transaction of that event. The agent
 * is the spender, because its report must not use up the budget of the person who asked.
 *
 * @param messageId the id of the run's last message; null if there is none
 */
public record ReportedUsage(
        ThreadId thread, UUID task, Actor agent, @Nullable String messageId, List<TokenUsage> requests)
        implements Effect {
    public ReportedUsage {
        requests = List.copyOf(requests);
    }

    @Override
    public boolean repeatable() {
        return true;
    }

    @Override
    public int weight() {
        return 200 + 200 * requests.size();
    }
}
