package dev.parley.app;

import dev.parley.log.Event;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells everybody who waits for commits. The listeners read from the log themselves, so they come after it. */
final class CommitListeners implements Consumer<List<Event>> {
    private static final Logger LOG = LoggerFactory.getLogger(CommitListeners.class);

    private volatile List<Consumer<List<Event>>> listeners = List.of();

    @SafeVarargs
    final void tell(Consumer<List<Event>>... each) {
        listeners = List.of(each);
    }

    @Override
    public void accept(List<Event> events) {
        for (Consumer<List<Event>> listener : listeners) {
            try {
                listener.accept(events);
            } catch (RuntimeException failed) {
                // Each finds out by itself in time what it was not told; the others should not have to.
                LOG.error("Somebody was not told of a commit", failed);
            }
        }
    }
}
