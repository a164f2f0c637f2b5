package dev.parley.face.sessions;

import dev.parley.protocol.sessions.SessionCost;
import dev.parley.protocol.sessions.SessionMetricsView;
import dev.parley.protocol.sessions.SessionModelUsage;
import dev.parley.protocol.sessions.SessionRunView;
import dev.parley.protocol.sessions.SessionUsage;
import dev.parley.protocol.sessions.SessionView;
import dev.parley.protocol.sessions.WholeSessionRun;
import dev.parley.sessions.SessionList;
import dev.parley.sessions.SessionMetrics;
import dev.parley.sessions.SessionRun;
import dev.parley.sessions.SessionRunList;
import dev.parley.threads.ThreadSnapshot;
import java.math.BigInteger;
import java.util.Map;

/** The views of sessions for their clients. */
final class SessionViews {
    private SessionViews() {}

    static SessionView session(SessionList.Session session) {
        ThreadSnapshot thread = session.thread();
        ThreadSnapshot.LastMessage last = thread.lastMessage();
        return new SessionView(
                session.sessionId(),
                thread.id(),
                thread.title(),
                thread.createdAt(),
                last == null ? thread.createdAt() : last.at(),
                thread.lastSeq(),
                last == null ? null : last.preview(),
                thread.archived(),
                thread.members().size());
    }

    static SessionRunView run(SessionRun run) {
        return new SessionRunView(
                run.runId(),
                run.parentRunId(),
                run.agentId(),
                run.agentName(),
                run.teamName(),
                run.status(),
                run.model(),
                run.modelProvider(),
                run.messages(),
                run.inputTokens(),
                run.outputTokens(),
                run.cost(),
                run.costCurrency(),
                run.version(),
                run.createdAt(),
                run.updatedAt());
    }

    static WholeSessionRun whole(SessionRunList.RunWithDocument whole) {
        return new WholeSessionRun(run(whole.run()), whole.document(), whole.children());
    }

    static SessionMetricsView metrics(String sessionId, SessionMetrics.Figures figures) {
        return new SessionMetricsView(
                sessionId,
                figures.messages(),
                figures.runs(),
                usage(figures.usage()),
                figures.costs().entrySet().stream()
                        .map(each -> new SessionCost(each.getKey(), each.getValue()))
                        .toList(),
                figures.models().stream().map(SessionViews::model).toList());
    }

    private static SessionUsage usage(Map<String, BigInteger> counts) {
        return new SessionUsage(
                count(counts, "input_tokens"),
                count(counts, "output_tokens"),
                count(counts, "total_tokens"),
                count(counts, "audio_input_tokens"),
                count(counts, "audio_output_tokens"),
                count(counts, "audio_total_tokens"),
                count(counts, "cache_read_tokens"),
                count(counts, "cache_write_tokens"),
                count(counts, "reasoning_tokens"));
    }

    private static SessionModelUsage model(SessionMetrics.ModelUsage used) {
        return new SessionModelUsage(
                used.model(),
                used.provider(),
                count(used.usage(), "input_tokens"),
                count(used.usage(), "output_tokens"),
                used.cost(),
                used.currency());
    }

    private static BigInteger count(Map<String, BigInteger> counts, String name) {
        return counts.getOrDefault(name, BigInteger.ZERO);
    }
}
