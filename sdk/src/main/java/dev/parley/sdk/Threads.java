package dev.parley.sdk;

import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.NewThread;
import dev.parley.protocol.chat.ThreadPage;
import dev.parley.protocol.chat.ThreadView;
import java.util.Optional;
import java.util.stream.Stream;

/** Creates and lists the caller's threads. */
public final class Threads {
    static final String PATH = "/api/v1/chat/threads";

    private final Transport transport;

    Threads(Transport transport) {
        this.transport = transport;
    }

    /**
     * Creates a thread and retries until an answer arrives. Retries carry the same key, so the thread is created once.
     */
    public ThreadView create(NewThread thread) {
        return create(thread, UuidV7.next().toString());
    }

    /** Creates a thread once per key, even if the caller restarts and repeats the call. */
    public ThreadView create(NewThread thread, String idempotencyKey) {
        return transport.call(Request.post(PATH, thread).keyed(idempotencyKey), ThreadView.class);
    }

    /** The most active threads. */
    public ThreadPage list(ThreadQuery query) {
        return transport.get(PATH + query.text(null), ThreadPage.class);
    }

    /** The next page, by the cursor of the page before it. */
    public ThreadPage listAfter(String nextCursor, ThreadQuery query) {
        return transport.get(PATH + query.text(nextCursor), ThreadPage.class);
    }

    /**
     * All threads, fetched page by page as the stream is read. A thread that becomes active meanwhile moves to the
     * front and may be missed, because the stream has already passed the front.
     */
    public Stream<ThreadView> all(ThreadQuery query) {
        return Stream.iterate(Optional.of(list(query)), Optional::isPresent, page -> next(page, query))
                .flatMap(page -> page.stream().flatMap(each -> each.threads().stream()));
    }

    private Optional<ThreadPage> next(Optional<ThreadPage> page, ThreadQuery query) {
        return page.flatMap(each -> Optional.ofNullable(each.nextCursor())).map(cursor -> listAfter(cursor, query));
    }
}
