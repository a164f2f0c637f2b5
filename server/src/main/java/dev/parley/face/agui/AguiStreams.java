package dev.parley.face.agui;

import dev.parley.auth.Principal;
import dev.parley.history.Conversation;
import dev.parley.history.RunSaid;
import dev.parley.http.Call;
import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import dev.parley.http.StreamSource;
import dev.parley.log.LogReader;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.MessagesSnapshot;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.StateEvent;
import dev.parley.runs.Run;
import dev.parley.runs.RunPicture;
import dev.parley.runs.Runs;
import dev.parley.streaming.OpenStreams;
import dev.parley.streaming.StreamQuota;
import dev.parley.streaming.Tails;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers by streams, each of exactly one run: from its beginning for the client that started it; for one that comes back,
 * what was said so far as a snapshot, what is open opened again, and then what follows. Nothing that a client has is
 * streamed to it twice: it would be doubled there.
 */
final class AguiStreams {
    private final Runs runs;
    private final Conversation conversation;
    private final LogReader reader;
    private final Tails tails;
    private final OpenStreams open;
    private final StreamQuota quota;
    private final Departures departures;
    private final Clock clock;

    AguiStreams(
            Runs runs,
            Conversation conversation,
            LogReader reader,
            Tails tails,
            OpenStreams open,
            StreamQuota quota,
            Departures departures,
            Clock clock) {
        this.runs = runs;
        this.conversation = conversation;
        this.reader = reader;
        this.tails = tails;
        this.open = open;
        this.quota = quota;
        this.departures = departures;
        this.clock = clock;
    }

    /** A run that this very request has started: everything of it is still to come. */
    StreamSource fresh(Call<Principal> call, RunAgentInput input, Run run) {
        Echo echo = Echo.of(input);
        return live(call, run, run.createdPosition(), List.of(echo.frame(started(echo, run.runId()))), echo);
    }

    /** A run that was there before, as its client missed it. */
    StreamSource attached(Call<Principal> call, RunAgentInput input, Run run) {
        Echo echo = Echo.of(input);
        RunPicture picture = runs.picture(run);
        List<AguiEvent> events = new ArrayList<>();
        events.add(started(echo, run.runId()));
        events.addAll(shown(run.thread(), picture.position(), input, RunSaid.of(picture.said()), picture.state()));
        events.addAll(picture.open());
        picture.ending().ifPresent(events::add);
        List<Frames> greeting = events.stream().map(echo::frame).toList();
        return picture.ending().isPresent() ? over(greeting) : live(call, run, picture.position(), greeting, echo);
    }

    /** A thread in which nothing goes on: what was said there, and what it waits for. */
    StreamSource idle(RunAgentInput input, ThreadId thread) {
        Echo echo = Echo.of(input);
        List<AguiEvent> events = new ArrayList<>();
        events.add(started(echo, null));
        Optional<JsonNode> state = runs.sharedState(thread);
        events.addAll(shown(thread, reader.lastPosition(thread), input, List.of(), state));
        Runs.Pending pending = runs.pending(thread);
        events.add(finished(
                echo,
                pending.interrupts().isEmpty()
                        ? new Outcome.Success(pending.calls().isEmpty() ? null : pending.calls())
                        : new Outcome.Interrupted(pending.interrupts())));
        return over(events.stream().map(echo::frame).toList());
    }

    /** A thread that is not there yet: nothing is said of it, since an empty conversation would empty the client's. */
    StreamSource nothing(RunAgentInput input) {
        Echo echo = Echo.of(input);
        return over(List.of(echo.frame(started(echo, null)), echo.frame(finished(echo, new Outcome.Success(null)))));
    }

    private AguiEvent started(Echo echo, @Nullable String runId) {
        ObjectNode metadata =
                runId == null ? null : Json.MAPPER.createObjectNode().put("runId", runId);
        return new RunEvent.Started(
                echo.threadId(),
                echo.runId(),
                RunAgentInput.PROTOCOL_VERSION,
                null,
                null,
                new Common(clock.millis(), null, metadata));
    }

    private AguiEvent finished(Echo echo, Outcome outcome) {
        return new RunEvent.Finished(
                echo.threadId(), echo.runId(), null, outcome, List.of(), new Common(clock.millis(), null, null));
    }

    private List<AguiEvent> shown(
            ThreadId thread, long position, RunAgentInput input, List<Message> said, Optional<JsonNode> state) {
        Conversation.Shown shown = conversation.upTo(
                thread, position, input.messages().stream().map(Message::id).toList());
        List<Message> messages = new ArrayList<>(shown.messages());
        messages.addAll(said);
        List<AguiEvent> events = new ArrayList<>();
        if (!messages.isEmpty()) {
            ObjectNode marks =
                    shown.truncated() ? Json.MAPPER.createObjectNode().put("truncated", true) : null;
            events.add(new MessagesSnapshot(messages, new Common(null, null, marks)));
        }
        state.ifPresent(json -> events.add(new StateEvent.Snapshot(json, null, Common.NONE)));
        return events;
    }

    private StreamSource live(Call<Principal> call, Run run, long after, List<Frames> greeting, Echo echo) {
        Runnable leave = quota.take(call.caller().actor());
        Function<SseConnection, Runnable> opened = connection -> {
            connection.farewell(echo.detached());
            Runnable unwatch = open.add(connection, call.caller(), Optional.of(run.thread()), Optional.empty());
            Runnable gone = departures.watch(run, call.caller(), connection);
            return () -> {
                unwatch.run();
                leave.run();
                gone.run();
            };
        };
        try {
            return tails.open(
                    run.thread(), after, Frames.concat(greeting), new AguiEncoder(run.taskId(), echo), opened);
        } catch (RuntimeException failed) {
            leave.run();
            throw failed;
        }
    }

    private static StreamSource over(List<Frames> frames) {
        Frames all = Frames.concat(frames);
        return connection -> connection.close(all);
    }
}
