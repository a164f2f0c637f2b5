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

/** One thread of a server: post to it, read it, follow it, change it. Holds nothing, so making one costs nothing. */
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

    /** Who is in the thread. */
    public Participants participants() {
        return new Participants(transport, path);
    }

    /** One message of the thread. */
    public MessageClient message(String messageId) {
        return new MessageClient(transport, path + "/messages/" + Request.encode(messageId));
    }

    /**
     * Posts a message and sees it through: what gets no answer is sent again with the same key (one is made if none is
     * given), so it is written once however often it is sent.
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
     * Posts as an agent, seen through as {@link #post} is. If it was to be refused when others have spoken since its
     * {@code base_seq}, and they have, it fails with a problem whose {@link ParleyProblem#staleContext} says what was
     * missed.
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

    /** Messages after a seq with some values in their metadata; go on with {@code nextAfterSeq} while there are more. */
    public MessagePage messagesAfter(long seq, int limit, MessageFilter filter) {
        return messages("?after_seq=" + seq + "&limit=" + limit + filter.query());
    }

    /** Messages before a seq with some values in their metadata; go on with {@code nextBeforeSeq} while there are more. */
    public MessagePage messagesBefore(long seq, int limit, MessageFilter filter) {
        return messages("?before_seq=" + seq + "&limit=" + limit + filter.query());
    }

    private MessagePage messages(String query) {
        return transport.get(path + "/messages" + query, MessagePage.class);
    }

    /** The log as it stands there, with edits, deletions and reactions as entries of their own. */
    public EntryPage entriesAfter(long seq, int limit) {
        String query = "?after_seq=" + seq + "&limit=" + limit + "&revisions=raw";
        return transport.get(path + "/messages" + query, EntryPage.class);
    }

    /** Events after a cursor; waits up to {@code wait} (whole seconds, at most 30) for the first of them. */
    public EventPage poll(Cursor after, int limit, Duration wait) {
        String query = "?after_seq=" + after + "&limit=" + limit + "&wait=" + wait.toSeconds();
        return transport.call(Request.get(path + "/events" + query).waiting(wait), EventPage.class);
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

    /** Tells those who follow the thread that the caller is writing, or no longer is. Nothing of it is kept. */
    public void typing(boolean started) {
        TypingWish wish = new TypingWish(started ? "started" : "stopped");
        transport.call(Request.post(path + "/typing", wish).once(), Status.class);
    }

    /** Marks everything as read; returns up to where that is. */
    public long markRead() {
        return markRead(new ReadMarker(null));
    }

    /** Marks as read up to a seq, never back; returns where the marker stands. */
    public long markRead(long seq) {
        return markRead(new ReadMarker(seq));
    }

    private long markRead(ReadMarker marker) {
        return transport
                .call(Request.patch(path + "/read", marker), ReadState.class)
                .lastReadSeq();
    }

    /** Gives the thread another title; null takes it away. */
    public ThreadView rename(String title) {
        return transport.call(Request.patch(path, new NewTitle(title)), ThreadView.class);
    }

    /** An archived thread can be read, but takes no posts. */
    public void archive(boolean archived) {
        transport.call(Request.patch(path + "/archive", new ArchiveWish(archived)), Status.class);
    }

    public void delete() {
        transport.remove(path);
    }
}
