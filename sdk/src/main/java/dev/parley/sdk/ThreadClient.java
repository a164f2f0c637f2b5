package dev.parley.sdk;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.ArchiveWish;
import dev.parley.protocol.chat.EntryPage;
import dev.parley.protocol.chat.EventPage;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.NewAgentMessage;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewTitle;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.ReadMarker;
import dev.parley.protocol.chat.ReadState;
import dev.parley.protocol.chat.Status;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.protocol.chat.TypingWish;
import java.time.Duration;

/**
 * The calls for one thread: post and read messages, follow the thread, and change its settings. A thread client has no
 * state and no resources of its own.
 */
public final class ThreadClient {
    private static final int PAGE = 200;

    private final Transport transport;
    private final ThreadId id;
    private final String path;

    ThreadClient(Transport transport, ThreadId id) {
        this.transport = transport;
        this.id = id;
        this.path = Threads.PATH + "/" + id;
    }

    public ThreadId id() {
        return id;
    }

    public ThreadView view() {
        return transport.get(path, ThreadView.class);
    }

    public Participants participants() {
        return new Participants(transport, path);
    }

    public MessageClient message(String messageId) {
        return new MessageClient(transport, path + "/messages/" + Request.encode(messageId));
    }

    /**
     * Posts a message and retries until an answer arrives. Retries carry the same key, so the message is written once.
     * If the message has no key, the client gives it one.
     */
    public PostedMessage post(NewMessage message) {
        return transport.call(Request.post(path + "/messages", keyed(message)), PostedMessage.class);
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

    /**
     * Posts as an agent, with retries as {@link #post} does. If the message has {@code on_stale: reject} and other
     * senders have posted since its {@code base_seq}, the call fails. The {@link ParleyProblem#staleContext} of the
     * problem has the missed messages.
     */
    public PostedMessage postAsAgent(NewAgentMessage message) {
        NewAgentMessage keyed = message.clientMessageId() != null
                ? message
                : message.keyed(UuidV7.next().toString());
        return transport.call(Request.post(path + "/agent-messages", keyed), PostedMessage.class);
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

    /** Messages after a seq with the filter's metadata; continue with {@code nextAfterSeq} while there are more. */
    public MessagePage messagesAfter(long seq, int limit, MessageFilter filter) {
        return messages("?after_seq=" + seq + "&limit=" + limit + filter.query());
    }

    /** Messages before a seq with the filter's metadata; continue with {@code nextBeforeSeq} while there are more. */
    public MessagePage messagesBefore(long seq, int limit, MessageFilter filter) {
        return messages("?before_seq=" + seq + "&limit=" + limit + filter.query());
    }

    private MessagePage messages(String query) {
        return transport.get(path + "/messages" + query, MessagePage.class);
    }

    /** The log as stored, with edits, deletions and reactions as entries of their own. */
    public EntryPage entriesAfter(long seq, int limit) {
        String query = "?after_seq=" + seq + "&limit=" + limit + "&revisions=raw";
        return transport.get(path + "/messages" + query, EntryPage.class);
    }

    /** Events after a cursor; waits up to {@code wait} (whole seconds, at most 30) for the first event. */
    public EventPage poll(Cursor after, int limit, Duration wait) {
        String query = "?after_seq=" + after + "&limit=" + limit + "&wait=" + wait.toSeconds();
        return transport.call(Request.get(path + "/events" + query).waiting(wait), EventPage.class);
    }

    /** The cursor after all events so far. A follower that starts here receives only new events. */
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

    /** Follows the thread on a virtual thread and calls the listener once for every event after {@code from}. */
    public Subscription subscribe(Cursor from, StreamListener listener) {
        return new Subscription(transport, id, streamPath(), from, listener).start();
    }

    /** Follows the thread at the caller's own pace. */
    public EventStream open(Cursor from) {
        return new EventStream(transport, streamPath(), from, passing -> {}, state -> {});
    }

    /** The path of the thread's stream, for {@link Parley#streamTicket}. */
    public String streamPath() {
        return path + "/events/stream";
    }

    /** Tells the thread's followers that the caller has started or stopped writing. The server does not store this. */
    public void typing(boolean started) {
        TypingWish wish = new TypingWish(started ? "started" : "stopped");
        transport.call(Request.post(path + "/typing", wish).once(), Status.class);
    }

    /** Marks everything as read; returns the seq of the marker. */
    public long markRead() {
        return markRead(new ReadMarker(null));
    }

    /** Moves the read marker forward to a seq, never back; returns the seq of the marker. */
    public long markRead(long seq) {
        return markRead(new ReadMarker(seq));
    }

    private long markRead(ReadMarker marker) {
        return transport
                .call(Request.patch(path + "/read", marker), ReadState.class)
                .lastReadSeq();
    }

    /** Changes the thread's title. A title can be replaced, but not removed. */
    public ThreadView rename(String title) {
        return transport.call(Request.patch(path, new NewTitle(title)), ThreadView.class);
    }

    /** Archives the thread or restores it. An archived thread can be read, but takes no posts. */
    public void archive(boolean archived) {
        transport.call(Request.patch(path + "/archive", new ArchiveWish(archived)), Status.class);
    }

    public void delete() {
        transport.remove(path);
    }
}
