package dev.parley.face.ingest;

import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.basics.Text;
import dev.parley.delivery.ListedDelivery;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.ingest.Trace;
import dev.parley.ingest.Traces;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ingest.IngestEngagement;
import dev.parley.protocol.ingest.MessageTrace;
import dev.parley.protocol.ingest.MessageTracePage;
import dev.parley.protocol.ingest.TracedDelivery;
import dev.parley.protocol.ingest.TracedHistory;
import dev.parley.protocol.ingest.TracedRun;
import org.jspecify.annotations.Nullable;

/** The route of traces, which explain why an inbound message was answered or not. */
public final class TraceFace {
    private final Traces traces;

    public TraceFace(Traces traces) {
        this.traces = traces;
    }

    public void addTo(Routes<Principal> routes) {
        routes.get("/api/v1/integrations/messages", Rate.POLL, this::traceMessage);
    }

    private Answer traceMessage(Call<Principal> call) {
        Traces.Query query = new Traces.Query(
                require(call, "source"),
                require(call, "external_message_id"),
                storable(call, "workspace_id"),
                storable(call, "channel_external_id"));
        return Answer.ok(new MessageTracePage(
                traces.list(call.caller(), query).stream().map(TraceFace::view).toList()));
    }

    private static String require(Call<Principal> call, String name) {
        String given = storable(call, name);
        if (given == null || given.isEmpty()) {
            throw ProblemException.invalidField(name, "is required");
        }
        return given;
    }

    private static @Nullable String storable(Call<Principal> call, String name) {
        String given = call.query(name).orElse(null);
        if (given != null) {
            Text.requireStorable(name, given);
        }
        return given;
    }

    private static MessageTrace view(Trace trace) {
        String run = trace.verdict().runId();
        return new MessageTrace(
                trace.eventId().toString(),
                trace.source(),
                trace.workspace(),
                trace.channel().isEmpty() ? null : trace.channel(),
                trace.externalMessageId(),
                trace.externalEventId(),
                trace.sender(),
                trace.linkedUser(),
                trace.bot(),
                trace.receivedAt(),
                trace.thread(),
                trace.messageId(),
                trace.seq(),
                view(trace.history()),
                new IngestEngagement(trace.verdict().run(), trace.verdict().reason()),
                trace.raisedAt(),
                run == null ? null : new TracedRun(run, trace.runState()),
                trace.deliveries().stream().map(TraceFace::view).toList());
    }

    private static @Nullable TracedHistory view(Trace.@Nullable History history) {
        return history == null
                ? null
                : new TracedHistory(history.from(), history.messages(), history.leftOut(), history.problem());
    }

    private static TracedDelivery view(ListedDelivery delivery) {
        return new TracedDelivery(
                delivery.id().toString(),
                delivery.target().source(),
                delivery.target().workspace(),
                delivery.target().channel(),
                delivery.target().thread(),
                delivery.part(),
                delivery.parts(),
                delivery.state().wire(),
                delivery.attempts(),
                delivery.externalId(),
                delivery.problem(),
                delivery.createdAt(),
                delivery.endedAt());
    }
}
