package dev.parley.sdk;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.InboxHint;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/**
 * Follows the caller's inbox on a virtual thread of its own, until the subscription is closed or fails for good. Lost
 * connections are replaced, but hints are lost while there is no connection.
 */
public final class InboxSubscription implements AutoCloseable {
    static final String PATH = "/api/v1/chat/inbox/stream";

    private static final Duration STEP = Duration.ofMinutes(1);
    private static final String HINT = "thread_changed";

    private final FrameStream frames;
    private final InboxListener listener;
    private final Follower follower;
    private volatile StreamState state = new StreamState.Connecting(null);

    InboxSubscription(Transport transport, InboxListener listener) {
        this.listener = listener;
        this.frames = new FrameStream(transport, PATH, Optional::empty, this::change);
        this.follower = new Follower("parley-inbox", frames::isClosed, this::step, frames::close, this::change);
    }

    InboxSubscription start() {
        follower.start();
        return this;
    }

    public StreamState state() {
        return state;
    }

    @Override
    public void close() {
        frames.close();
        follower.join();
    }

    private void step() {
        frames.next(Deadline.in(STEP))
                .filter(frame -> frame.event().equals(HINT))
                .ifPresent(this::tell);
    }

    private void tell(SseFrame frame) {
        InboxHint hint;
        try {
            hint = Json.MAPPER.readValue(frame.data(), InboxHint.class);
        } catch (JacksonException e) {
            frames.breach("The inbox sent a hint that cannot be read: " + e.getOriginalMessage(), e);
            return;
        }
        frames.progressed();
        listener.hint(hint);
    }

    private void change(StreamState next) {
        state = next;
        listener.state(next);
    }
}
