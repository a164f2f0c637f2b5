package dev.parley.sdk;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agent.AttachmentUploaded;
import dev.parley.protocol.agent.CancelAnswer;
import dev.parley.protocol.agent.RunPage;
import dev.parley.protocol.agent.RunStanding;
import dev.parley.protocol.agent.RunView;
import dev.parley.protocol.agent.SharedStateView;
import dev.parley.protocol.agent.TaskAccepted;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts, follows, cancels and drives runs of agents. A run is named by its runId or its taskId. */
public final class Runs {
    private static final String PATH = "/api/v1/agent/runs";
    private static final String THREADS = "/api/v1/agent/threads/";
    private static final int NOT_FOUND = 404;

    private final Transport transport;

    Runs(Transport transport) {
        this.transport = transport;
    }

    /**
     * Starts a run and retries until an answer arrives. Retries carry the same runId, so the run starts once. A thread
     * that does not exist yet is created.
     */
    public TaskAccepted start(RunAgentInput input) {
        return transport.call(Request.post(PATH, input), TaskAccepted.class);
    }

    /** Sends a message to the thread's agent, under a new runId. */
    public TaskAccepted start(ThreadId thread, String text) {
        return start(thread, UuidV7.next().toString(), text);
    }

    /** Sends a message once per runId, even if the caller restarts and repeats the call. */
    public TaskAccepted start(ThreadId thread, String runId, String text) {
        return start(thread, runId, new Content.Text(text));
    }

    /** Sends a message with uploaded images, under a new runId; the text may be empty. */
    public TaskAccepted start(ThreadId thread, String text, List<AttachmentUploaded> images) {
        return start(thread, UuidV7.next().toString(), text, images);
    }

    /** Sends a message with images once per runId, even if the caller restarts and repeats the call. */
    public TaskAccepted start(ThreadId thread, String runId, String text, List<AttachmentUploaded> images) {
        Stream<ContentPart> words = text.isEmpty() ? Stream.of() : Stream.of(new ContentPart.Text(text));
        Stream<ContentPart> shown =
                images.stream().map(image -> new ContentPart.Binary(image.mimeType(), null, image.url(), null, null));
        return start(
                thread, runId, new Content.Parts(Stream.concat(words, shown).toList()));
    }

    private TaskAccepted start(ThreadId thread, String runId, Content content) {
        return start(new RunAgentInput(
                thread.toString(),
                runId,
                RunAgentInput.PROTOCOL_VERSION,
                null,
                null,
                List.of(new Message.User("msg-" + runId, content, null, null, null, null)),
                List.of(),
                List.of(),
                null,
                List.of()));
    }

    /** Empty if there is no such run, or no such thread. */
    public Optional<RunView> find(ThreadId thread, String runId) {
        try {
            return Optional.of(transport.get(run(thread, runId), RunView.class));
        } catch (ParleyProblem problem) {
            if (problem.status() != NOT_FOUND) {
                throw problem;
            }
            return Optional.empty();
        }
    }

    /** The newest runs of a thread. */
    public RunPage list(ThreadId thread) {
        return transport.get(THREADS + thread + "/runs", RunPage.class);
    }

    /** The next page, by the cursor of the page before it. */
    public RunPage listAfter(ThreadId thread, String nextCursor) {
        return transport.get(THREADS + thread + "/runs?cursor=" + Request.encode(nextCursor), RunPage.class);
    }

    /**
     * Cancels a run; after this call it has no further events. The status {@code finished} may mean that an earlier
     * attempt of this call, whose answer was lost, ended the run.
     */
    public CancelAnswer cancel(ThreadId thread, String runId) {
        return transport.call(Request.post(run(thread, runId) + "/cancel", Map.of()), CancelAnswer.class);
    }

    /** The state that the thread's agents and clients share. */
    public SharedStateView state(ThreadId thread) {
        return transport.get(THREADS + thread + "/state", SharedStateView.class);
    }

    /** Follows one run from its first to its terminal event and calls the listener once per event. */
    public RunSubscription follow(ThreadId thread, String runId, RunListener listener) {
        return follow(thread, runId, null, listener);
    }

    /** Follows one run after a known position; null for its beginning. */
    public RunSubscription follow(ThreadId thread, String runId, @Nullable Long after, RunListener listener) {
        return new RunSubscription(transport, streamPath(thread, runId), true, after, listener).start();
    }

    /** Follows the runs and the messages of a thread after a position; 0 for the thread's beginning. */
    public RunSubscription followThread(ThreadId thread, long after, RunListener listener) {
        return new RunSubscription(transport, streamPath(thread), false, after, listener).start();
    }

    /** Follows one run at the caller's own pace, from its beginning, or after a position. */
    public RunStream open(ThreadId thread, String runId, @Nullable Long after) {
        return new RunStream(transport, streamPath(thread, runId), true, after, state -> {});
    }

    /** Follows a thread at the caller's own pace. */
    public RunStream openThread(ThreadId thread, long after) {
        return new RunStream(transport, streamPath(thread), false, after, state -> {});
    }

    /** The path of the thread's stream of runs, for {@link Parley#streamTicket}. */
    public String streamPath(ThreadId thread) {
        return PATH + "/" + thread + "/events";
    }

    private String streamPath(ThreadId thread, String runId) {
        return streamPath(thread) + "?runId=" + Request.encode(runId);
    }

    /** Drives a run as its agent, from outside of the server; an unused runId opens a new run. */
    public DrivenRun drive(ThreadId thread, String runId) {
        return DrivenRun.open(transport, run(thread, runId) + "/events");
    }

    /** Continues a run that another process of the agent drove, from the last standing of that process. */
    public DrivenRun drive(ThreadId thread, String runId, RunStanding standing) {
        return DrivenRun.resumed(transport, run(thread, runId) + "/events", standing);
    }

    private static String run(ThreadId thread, String runId) {
        return THREADS + thread + "/runs/" + Request.encode(runId);
    }
}
