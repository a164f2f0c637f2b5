package dev.parley.sdk;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.EventPage;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.ThreadView;
import java.time.Duration;

/** One thread of a server: post to it, read it, follow it. Holds nothing, so making one costs nothing. */
public final class ThreadClient {
    private static final int PAGE = 200;

    private final Transport transport;
    private final ThreadId id;
    private final String path;

    ThreadClient(Transport transport, ThreadId id) {
        this.transport = transport;
        this.id = id;
        this.path = "/api/v1/chat/threads/" + id;
    }

    public ThreadId id() {
        return id;
    }

    public ThreadView view() {
        return transport.get(path, Duration.ZERO, ThreadView.class);
    }

    /**
     * Posts a message and sees it through: what gets no answer is sent again with the same key (one is made if none is
     * given), so it is written once however often it is sent.
     */
    public PostedMessage post(NewMessage message) {
        return transport.postKeyed(path + "/messages", keyed(message), PostedMessage.class);
    }

    private static NewMessage keyed(NewMessage message) {
        return message.clientMessageId() != null
                ? message
                : new NewMessage(
                        message.content(),
                        UuidV7.next().toString(),
                        message.mentions(),
                        message.metadata(),
                        message.replyTo());
    }

    public MessagePage messagesAfter(long seq, int limit) {
        return messages("?after_seq=" + seq + "&limit=" + limit);
    }

    public MessagePage messagesBefore(long seq, int limit) {
        return messages("?before_seq=" + seq + "&limit=" + limit);
    }

    public MessagePage latestMessages(int limit) {
        return messages("?limit=" + limit);
    }

    private MessagePage messages(String query) {
        return transport.get(path + "/messages" + query, Duration.ZERO, MessagePage.class);
    }

    /** Events after a cursor; waits up to {@code wait} (whole seconds, at most 30) for the first of them. */
    public EventPage poll(Cursor after, int limit, Duration wait) {
        String query = "?after_seq=" + after + "&limit=" + limit + "&wait=" + wait.toSeconds();
        return transport.get(path + "/events" + query, wait, EventPage.class);
    }

    /** The cursor after everything that has happened so far: follow from here to hear only what is new. */
    public Cursor end() {
        Cursor end = Cursor.after(view().lastSeq());
        EventPage page;
        do {
            page = poll(end, PAGE, Duration.ZERO);
            if (!page.events().isEmpty()) {
                String last = page.events().getLast().eventId();
                end = Cursor.parse(last)
                        .orElseThrow(() -> new StreamBroken("The event id " + last + " cannot be read", null));
            }
        } while (page.hasMore());
        return end;
    }

    /** Follows the thread on a thread of its own and tells the listener every event after {@code from} once. */
    public Subscription subscribe(Cursor from, StreamListener listener) {
        return new Subscription(transport, id, from, listener).start();
    }

    /** Follows the thread at the caller's own pace. */
    public EventStream open(Cursor from) {
        return new EventStream(transport, id, from, passing -> {}, state -> {});
    }
}
