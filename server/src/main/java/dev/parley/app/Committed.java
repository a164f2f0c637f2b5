package dev.parley.app;

import dev.parley.log.Event;
import java.util.List;
import java.util.function.Consumer;

/** Tells everybody who waits for commits. The listeners read from the log themselves, so they come after it. */
final class Committed implements Consumer<List<Event>> {
    private volatile List<Consumer<List<Event>>> listeners = List.of();

    @SafeVarargs
    final void tell(Consumer<List<Event>>... each) {
        listeners = List.of(each);
    }

    @Override
    public void accept(List<Event> events) {
        for (Consumer<List<Event>> listener : listeners) {
            listener.accept(events);
        }
    }
}
