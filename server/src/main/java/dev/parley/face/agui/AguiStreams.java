package dev.parley.face.agui;

import dev.parley.auth.Principal;
import dev.parley.history.Conversation;
import dev.parley.history.RunTranscript;
import dev.parley.http.Call;
import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import dev.parley.http.StreamSource;
import dev.parley.log.LogReader;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.MessagesSnapshot;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.StateEvent;
import dev.parley.runs.RunSnapshot;
import dev.parley.runs.Runs;
import dev.parley.runs.lifecycle.Run;
import dev.parley.streaming.OpenStreams;
import dev.parley.streaming.StreamQuota;
import dev.parley.streaming.Tails;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers by streams, each of exactly one run: from its beginning for the client that started it; for one that comes back,
 * what was said so far as a snapshot, what is open opened again, and then what follows. Nothing that a client has is
 * streamed to it twice: it would be doubled there.
 */
final class AguiStreams {
    /** A snapshot is held as messages, as what is shown of them, as JSON, and as the frame that is sent. */
    private static final int COPIES = 4;

    /** A run that is replaced while its viewer's snapshot is taken is looked at again; bounded for busy threads. */
    private static final int MAX_SNAPSHOTS = 10;

    private final Runs runs;
    private final Conversation conversation;
    private final LogReader reader;
    private final Tails tails;
    private final OpenStreams open;
    private final StreamQuota quota;
    private final Departures departures;
    private final Clock clock;
    private final long snapshotBytes;

    AguiStreams(Runs runs, Streaming with, Departures departures, long snapshotBytes) {
        this.runs = runs;
        this.conversation = with.conversation();
        this.reader = with.reader();
        this.tails = with.tails();
        this.open = with.open();
        this.quota = with.quota();
        this.departures = departures;
        this.clock = with.clock();
        this.snapshotBytes = snapshotBytes;
    }

    /** Opens a stream in one of the caller's places; who has none left is refused before anything is done for it. */
    StreamSource inPlace(Call<Principal> call, Function<Admission, StreamSource> opening) {
        Runnable leave = quota.take(call.caller().actor());
        try {
            return opening.apply(new Admission(call, leave));
        } catch (RuntimeException failed) {
            leave.run();
            throw failed;
        }
    }

    /**
     * A caller's place among those that stream.
     *
     * @param leave to be run when its stream is over
     */
    record Admission(Call<Principal> call, Runnable leave) {
        Principal caller() {
            return call.caller();
        }
    }

    /** A run that this very request has started: everything of it is still to come. */
    StreamSource fresh(Admission admission, RunAgentInput input, Run run) {
        Echo echo = Echo.of(input);
        return live(admission, run, run.positions().created(), List.of(echo.frame(started(echo, run.runId()))), echo);
    }

    /** A run that was there before, as its client missed it; the one that replaced it if its answer does not stand. */
    StreamSource attached(Admission admission, RunAgentInput input, Run run) {
        return snapshot(admission, () -> settled(() -> attached(admission, input, run, standing -> Echo.of(input))));
    }

    /**
     * A thread for a client that only looks: the run that goes on, under its own name, by which it can be stopped; and
     * where nothing goes on, what was said and what the thread waits for.
     *
     * @param agent whose run is wanted first; null for any
     */
    StreamSource connected(Admission admission, RunAgentInput input, ThreadId thread, @Nullable Actor agent) {
        return snapshot(
                admission,
                () -> settled(() -> {
                    long head = reader.lastPosition(thread);
                    Optional<Run> going = runs.unfinished(thread, agent);
                    return going.isPresent()
                            ? attached(
                                    admission,
                                    input,
                                    going.get(),
                                    run -> Echo.of(input).of(run.runId()))
                            : idle(admission, input, thread, head);
                }));
    }

    /** Repeats a snapshot until no run was started under it: a new run may have hidden the answer that it replaces. */
    private static StreamSource settled(Supplier<Optional<Supplier<StreamSource>>> snapshot) {
        return Stream.generate(snapshot)
                .limit(MAX_SNAPSHOTS)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> new ProblemException(
                        Problem.OVERLOADED, "The thread changes too quickly to be shown; try again soon."))
                .get();
    }

    /** Reserves memory for the largest snapshot while one is put together. */
    private StreamSource snapshot(Admission admission, Supplier<StreamSource> work) {
        admission.call().reserveUpTo(COPIES * snapshotBytes);
        return work.get();
    }

    /** Empty if the run was replaced while its snapshot was taken. */
    private Optional<Supplier<StreamSource>> attached(
            Admission admission, RunAgentInput input, Run asked, Function<Run, Echo> echoOf) {
        Run run = runs.standing(asked);
        Supplier<StreamSource> stream = snapshot(admission, input, run, echoOf.apply(run));
        return runs.standing(asked).taskId().equals(run.taskId()) ? Optional.of(stream) : Optional.empty();
    }

    private Supplier<StreamSource> snapshot(Admission admission, RunAgentInput input, Run run, Echo echo) {
        // As the run found it, if it is not over in the snapshot: it is written with the run's end.
        Optional<JsonNode> before = runs.sharedState(run.thread());
        RunSnapshot snapshot = runs.snapshot(run);
        List<Message> said = RunTranscript.of(snapshot.items());
        long size = Json.MAPPER.writeValueAsBytes(said).length;
        List<AguiEvent> events = new ArrayList<>();
        events.add(started(echo, run.runId()));
        if (size > snapshotBytes / 2) {
            // Too much for one frame. What a snapshot lacks clients delete, so all of it can be told again.
            long beginning = Math.max(run.positions().created(), firstPosition(snapshot) - 1);
            List<AguiEvent> shown = shown(run.thread(), beginning, input, List.of(), 0, before);
            events.addAll(shown.isEmpty() ? List.of(new MessagesSnapshot(List.of())) : shown);
            return () -> live(admission, run, beginning, frames(echo, events), echo);
        }
        events.addAll(shown(run.thread(), snapshot.position(), input, said, size, snapshot.state()));
        events.addAll(snapshot.open());
        snapshot.ending().ifPresent(events::add);
        return snapshot.ending().isPresent()
                ? () -> over(admission, frames(echo, events))
                : () -> live(admission, run, snapshot.position(), frames(echo, events), echo);
    }

    private static long firstPosition(RunSnapshot snapshot) {
        Long first = snapshot.run().positions().first();
        return first == null ? 0 : first;
    }

    /**
     * A thread in which nothing goes on: what was said there, and what it waits for. Empty if a run was made meanwhile.
     *
     * @param head the thread's last position before it was found that nothing goes on
     */
    private Optional<Supplier<StreamSource>> idle(
            Admission admission, RunAgentInput input, ThreadId thread, long head) {
        Echo echo = Echo.of(input);
        List<AguiEvent> events = new ArrayList<>();
        events.add(started(echo, null));
        Optional<JsonNode> state = runs.sharedState(thread);
        events.addAll(shown(thread, reader.lastPosition(thread), input, List.of(), 0, state));
        Runs.Pending pending = runs.pending(thread);
        events.add(finished(
                echo,
                pending.interrupts().isEmpty()
                        ? new Outcome.Success(pending.calls().isEmpty() ? null : pending.calls())
                        : new Outcome.Interrupted(pending.interrupts())));
        boolean unchanged = runs.newest(thread)
                .filter(run -> run.positions().created() >= head)
                .isEmpty();
        return unchanged ? Optional.of(() -> over(admission, frames(echo, events))) : Optional.empty();
    }

    /** A thread that is not there yet: nothing is said of it, since an empty conversation would empty the client's. */
    StreamSource nothing(Admission admission, RunAgentInput input) {
        Echo echo = Echo.of(input);
        return over(admission, frames(echo, List.of(started(echo, null), finished(echo, new Outcome.Success(null)))));
    }

    private static List<Frames> frames(Echo echo, List<AguiEvent> events) {
        return events.stream().map(echo::frame).toList();
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

    /** @param size of what the run has said, which goes with the rest */
    private List<AguiEvent> shown(
            ThreadId thread,
            long position,
            RunAgentInput input,
            List<Message> said,
            long size,
            Optional<JsonNode> state) {
        Conversation.ConversationView shown = conversation.upTo(
                thread, position, input.messages().stream().map(Message::id).toList(), snapshotBytes - size);
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

    private StreamSource live(Admission admission, Run run, long after, List<Frames> greeting, Echo echo) {
        Frames first = Frames.concat(greeting);
        admission.call().hold(first.size());
        // A stream may be open for long, and must not keep its request.
        Principal caller = admission.caller();
        Runnable leave = admission.leave();
        Function<SseConnection, Runnable> opened = connection -> {
            connection.farewell(echo.detached());
            Runnable unwatch = open.add(connection, caller, Optional.of(run.thread()), Optional.empty());
            Runnable gone = departures.watch(run, caller, connection);
            return () -> {
                unwatch.run();
                leave.run();
                gone.run();
            };
        };
        return tails.open(run.thread(), after, first, new AguiEncoder(run.taskId(), echo), opened);
    }

    private static StreamSource over(Admission admission, List<Frames> frames) {
        Frames all = Frames.concat(frames);
        admission.call().hold(all.size());
        Runnable leave = admission.leave();
        return connection -> connection.closeWith(all, leave);
    }
}
