package dev.parley.wakeups;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A carrier of short messages from a node to all nodes of the same database, itself included. It guarantees nothing:
 * messages may be late, lost, doubled or out of order, and foreign messages may arrive. Only the thread of {@link Bus}
 * calls the methods, except {@link #join} and {@link #close}.
 */
public interface Wakeups extends AutoCloseable {
    /**
     * A message of ASCII characters.
     *
     * @param subject the subject of the message, from 0 to below {@link #subjects()}
     */
    record Message(int subject, String text) {}

    /** The number of subjects; all hints of a thread use the same subject. */
    int subjects();

    /** The time to wait between two loads, so that more hints fit into fewer messages. */
    Duration pace();

    /** Called once, before the first message. The listener must return quickly. */
    void join(Consumer<String> listener);

    /**
     * Carries messages, within a few seconds.
     *
     * @throws Exception if the messages cannot be carried now, and are therefore lost
     */
    void carry(List<Message> messages) throws Exception;

    /** Drops connections that may be dead, since no message has returned for a while, and opens new ones. */
    void reset();

    /** Releases threads and connections. */
    @Override
    void close();
}
