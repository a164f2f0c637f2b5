package dev.parley.testkit.history;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.PostedMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * The writes of one writer, in the order of the writer. A writer has only one write under way at a time, and notes each
 * outcome before the next write. A key belongs to its sender, so writers with the same sender share the sender's keys.
 */
public final class WriterNotes {
    /** One attempt and its outcome, with the time of day at which the writer learned it. */
    record Write(long atMillis, ThreadId thread, String key, String body, Outcome outcome) {}

    private final String name;
    private final String sender;
    private final List<Write> writes = new ArrayList<>();

    WriterNotes(String name, String sender) {
        this.name = name;
        this.sender = sender;
    }

    public void write(ThreadId thread, String key, String body, Outcome outcome) {
        write(System.currentTimeMillis(), thread, key, body, outcome);
    }

    synchronized void write(long atMillis, ThreadId thread, String key, String body, Outcome outcome) {
        writes.add(new Write(atMillis, thread, key, body, outcome));
    }

    public void acknowledged(ThreadId thread, String key, String body, PostedMessage posted) {
        write(
                thread,
                key,
                body,
                new Outcome.Acknowledged(
                        posted.messageId(),
                        posted.message().threadSeq(),
                        posted.message().serverSeqAtSubmit(),
                        posted.duplicate()));
    }

    public void refused(ThreadId thread, String key, String body, String slug) {
        write(thread, key, body, new Outcome.Refused(slug));
    }

    public void unknown(ThreadId thread, String key, String body) {
        write(thread, key, body, new Outcome.Unknown());
    }

    String name() {
        return name;
    }

    String sender() {
        return sender;
    }

    synchronized List<Write> writes() {
        return List.copyOf(writes);
    }
}
