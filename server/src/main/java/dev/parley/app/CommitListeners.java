package dev.parley.app;

import dev.parley.log.Event;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands committed events to every listener. A listener reads the log itself, so it follows the log in the order of
 * commits.
 */
final class CommitListeners implements Consumer<List<Event>> {
    private static final Logger LOG = LoggerFactory.getLogger(CommitListeners.class);

    private volatile List<Consumer<List<Event>>> listeners = List.of();

    @SafeVarargs
    final void register(Consumer<List<Event>>... each) {
        listeners = List.of(each);
    }

    @Override
    public void accept(List<Event> events) {
        for (Consumer<List<Event>> listener : listeners) {
            try {
                listener.accept(events);
            } catch (RuntimeException failed) {
                // The failure must not keep the commit from other listeners. The failed listener finds the commit on
                // its next pass.
                LOG.error("A commit listener failed; it finds the commit on its next pass", failed);
            }
        }
    }
}
