package dev.parley.sdk;

import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.NewThread;
import dev.parley.protocol.chat.ThreadPage;
import dev.parley.protocol.chat.ThreadView;
import java.util.Optional;
import java.util.stream.Stream;

/** The caller's threads: make them and list them. */
public final class Threads {
    static final String PATH = "/api/v1/chat/threads";

    private final Transport transport;

    Threads(Transport transport) {
        this.transport = transport;
    }

    /** Makes a thread and sees it through: what gets no answer is sent again with the same key, so it is made once. */
    public ThreadView create(NewThread thread) {
        return create(thread, UuidV7.next().toString());
    }

    /** Makes a thread once per key, also when the caller itself has to begin again. */
    public ThreadView create(NewThread thread, String idempotencyKey) {
        return transport.call(Request.post(PATH, thread).keyed(idempotencyKey), ThreadView.class);
    }

    /** The most active ones. */
    public ThreadPage list(ThreadQuery query) {
        return transport.get(PATH + query.text(null), ThreadPage.class);
    }

    /** The page after one that ended with this cursor. */
    public ThreadPage listAfter(String nextCursor, ThreadQuery query) {
        return transport.get(PATH + query.text(nextCursor), ThreadPage.class);
    }

    /**
     * All of them, page by page as they are taken. A thread that becomes active meanwhile moves to the front, where the
     * list has been already.
     */
    public Stream<ThreadView> all(ThreadQuery query) {
        return Stream.iterate(Optional.of(list(query)), Optional::isPresent, page -> next(page, query))
                .flatMap(page -> page.stream().flatMap(each -> each.threads().stream()));
    }

    private Optional<ThreadPage> next(Optional<ThreadPage> page, ThreadQuery query) {
        return page.flatMap(each -> Optional.ofNullable(each.nextCursor())).map(cursor -> listAfter(cursor, query));
    }
}
