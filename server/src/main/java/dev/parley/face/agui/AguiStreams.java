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
 * Answers requests with streams. Each stream follows exactly one run. The client that started a run gets the run from
 * its beginning. A client that comes back gets a snapshot of the messages so far, a new start for each span that is
 * still open, and then the new events. An event that a client already has is never streamed again, because the client
 * would show it twice.
 */
final class AguiStreams {
    /** The copies of a snapshot in memory: the messages, the views of the messages, the JSON, and the frame to send. */
    private static final int COPIES = 4;

    /**
     * The largest number of attempts at a snapshot. An attempt is repeated if the run is replaced meanwhile, which
     * could go on without end in a busy thread.
     */
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

    /** Opens a stream in one of the caller's stream slots. A caller without a free slot is refused before any work. */
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
     * A caller's slot among the open streams.
     *
     * @param leave the task to run when the stream is over
     */
    record Admission(Call<Principal> call, Runnable leave) {
        Principal caller() {
            return call.caller();
        }
    }

    /** A stream of a run that this request has started. The stream sends all events of the run. */
    StreamSource fresh(Admission admission, RunAgentInput input, Run run) {
        Echo echo = Echo.of(input);
        return live(admission, run, run.positions().created(), List.of(echo.frame(started(echo, run.runId()))), echo);
    }

    /**
     * A stream of an existing run for a client that comes back: a snapshot, and then the new events. If the run's
     * answer was replaced, the stream follows the run that replaced it.
     */
    StreamSource attached(Admission admission, RunAgentInput input, Run run) {
        return snapshot(admission, () -> settled(() -> attached(admission, input, run, standing -> Echo.of(input))));
    }

    /**
     * A stream of a thread for a client that only looks. It follows the active run under the run's own name, by which
     * the client can stop it. Without an active run it sends the messages and the open questions.
     *
     * @param agent the agent whose run is preferred; null if no agent is preferred
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

    /**
     * Repeats an attempt at a snapshot until no new run interferes. A run that starts during the attempt may hide an
     * answer that the snapshot shows.
     */
    private static StreamSource settled(Supplier<Optional<Supplier<StreamSource>>> snapshot) {
        return Stream.generate(snapshot)
                .limit(MAX_SNAPSHOTS)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> new ProblemException(
                        Problem.OVERLOADED, "The thread changes too quickly to be shown; try again soon."))
                .get();
    }

    /** Reserves memory for the largest snapshot while a snapshot is built. */
    private StreamSource snapshot(Admission admission, Supplier<StreamSource> work) {
        admission.call().reserveUpTo(COPIES * snapshotBytes);
        return work.get();
    }

    /** Empty if the run was replaced while its snapshot was taken. */
    private Optional<Supplier<StreamSource>> attached(
            Admission admission, RunAgentInput input, Run requested, Function<Run, Echo> echoOf) {
        Run run = runs.standing(requested);
        Supplier<StreamSource> stream = snapshot(admission, input, run, echoOf.apply(run));
        return runs.standing(requested).taskId().equals(run.taskId()) ? Optional.of(stream) : Optional.empty();
    }

    private Supplier<StreamSource> snapshot(Admission admission, RunAgentInput input, Run run, Echo echo) {
        // If the run has not ended in the snapshot, this is the state before the run, because a run's new state is
        // written together with the run's end.
        Optional<JsonNode> before = runs.sharedState(run.thread());
        RunSnapshot snapshot = runs.snapshot(run);
        List<Message> runMessages = RunTranscript.of(snapshot.items());
        long size = Json.MAPPER.writeValueAsBytes(runMessages).length;
        List<AguiEvent> events = new ArrayList<>();
        events.add(started(echo, run.runId()));
        if (size > snapshotBytes / 2) {
            // The output is too large for one frame, so all events of the run are streamed again. This is safe, because
            // clients delete the messages that a snapshot lacks.
            long beginning = Math.max(run.positions().created(), firstPosition(snapshot) - 1);
            List<AguiEvent> shown = messagesAndState(run.thread(), beginning, input, List.of(), 0, before);
            events.addAll(shown.isEmpty() ? List.of(new MessagesSnapshot(List.of())) : shown);
            return () -> live(admission, run, beginning, frames(echo, events), echo);
        }
        events.addAll(messagesAndState(run.thread(), snapshot.position(), input, runMessages, size, snapshot.state()));
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
     * A stream of a thread without an active run: its messages and its open questions. Empty if a run was created
     * meanwhile.
     *
     * @param head the thread's last position before the check for an active run
     */
    private Optional<Supplier<StreamSource>> idle(
            Admission admission, RunAgentInput input, ThreadId thread, long head) {
        Echo echo = Echo.of(input);
        List<AguiEvent> events = new ArrayList<>();
        events.add(started(echo, null));
        Optional<JsonNode> state = runs.sharedState(thread);
        events.addAll(messagesAndState(thread, reader.lastPosition(thread), input, List.of(), 0, state));
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

    /**
     * A stream of a thread that does not exist yet. It sends no messages, because an empty snapshot would delete the
     * client's own messages.
     */
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

    /** @param size the bytes of the run's output, which is part of the snapshot */
    private List<AguiEvent> messagesAndState(
            ThreadId thread,
            long position,
            RunAgentInput input,
            List<Message> runMessages,
            long size,
            Optional<JsonNode> state) {
        Conversation.ConversationView shown = conversation.upTo(
                thread, position, input.messages().stream().map(Message::id).toList(), snapshotBytes - size);
        List<Message> messages = new ArrayList<>(shown.messages());
        messages.addAll(runMessages);
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
        // The lambda captures these two values instead of the admission, because a stream may stay open for long and
        // must not keep its request in memory.
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
        Frames combined = Frames.concat(frames);
        admission.call().hold(combined.size());
        Runnable leave = admission.leave();
        return connection -> connection.closeWith(combined, leave);
    }
}
