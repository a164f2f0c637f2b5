package dev.parley.wakeups;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A way on which short messages get from a node to all nodes of the same database, itself included. It promises nothing:
 * messages may be late, lost, doubled or out of order, and foreign ones may come along. All but {@link #join} and
 * {@link #close} is called by one thread, {@link Bus}'s own.
 */
public interface Wakeups extends AutoCloseable {
    /**
     * A message of ASCII characters.
     *
     * @param place the subject that it goes by, from 0 to below {@link #places()}
     */
    record Message(int place, String text) {}

    /** How many subjects there are; a thread's hints always go by the same one. */
    int places();

    /** How long to wait between two loads, so that more is gathered into fewer. */
    Duration pace();

    /** Called once, before anything is carried. Whoever listens returns quickly. */
    void join(Consumer<String> listener);

    /**
     * Carries messages, within a few seconds.
     *
     * @throws Exception if it cannot do so now; then they are lost
     */
    void carry(List<Message> messages) throws Exception;

    /** Nothing has come back for a while: gives up its connections, which may be dead, and makes new ones. */
    void reset();

    /** Gives back threads and connections. */
    @Override
    void close();
}
