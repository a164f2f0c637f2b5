package dev.parley.sdk;

import dev.parley.protocol.agui.AguiJson;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The AG-UI events of one run or of a whole thread, pulled one by one: every event once and in order, however often the
 * connection is lost. The stream of one run ends after its terminal event, or when the server says that it never was
 * where the stream shall go on. For one taker at a time; any thread may close it.
 */
public final class RunStream implements AutoCloseable {
    private final OrderedFrames<Long, PlacedEvent> events;
    private final boolean oneRun;
    private volatile boolean ended;

    /**
     * @param oneRun whether the path names a run
     * @param after the position to begin after; null for the run's beginning
     */
    RunStream(Transport transport, String path, boolean oneRun, @Nullable Long after, Consumer<StreamState> states) {
        this.oneRun = oneRun;
        this.events = new OrderedFrames<>(transport, path, new Positions(), after, passing -> {}, states);
    }

    /** Positions grow, but are not dense: other runs, and what is said in the thread, have some of them. */
    private record Positions() implements OrderedFrames.Format<Long, PlacedEvent> {
        @Override
        public Optional<Long> place(String eventId) {
            return eventId.matches("[0-9]{1,18}") ? Optional.of(Long.valueOf(eventId)) : Optional.empty();
        }

        @Override
        public boolean follows(Long place, Long earlier) {
            return place > earlier;
        }

        @Override
        public PlacedEvent event(Long place, SseFrame frame) {
            return new PlacedEvent(place, AguiJson.readEvent(frame.data()));
        }

        @Override
        public boolean jumps(PlacedEvent event) {
            return event.resync().isPresent();
        }
    }

    /** The next event; empty if none came in time, or none will come. Fails as {@link EventStream#next} does. */
    public Optional<PlacedEvent> next(Duration limit) {
        Optional<PlacedEvent> event = events.next(Deadline.in(limit));
        if (event.filter(this::isLast).isPresent()) {
            ended = true;
            events.close();
        }
        return event;
    }

    private boolean isLast(PlacedEvent event) {
        return oneRun
                && (event.isTerminal() || event.resync().filter(Resync::isAhead).isPresent());
    }

    /** The position of the last event handed out, to go on after it later; empty if there was none. */
    public OptionalLong position() {
        return events.place().stream().mapToLong(Long::longValue).findFirst();
    }

    /** Whether the last event has been handed out, or was seen before this stream began. */
    public boolean isEnded() {
        return ended || events.isEnded();
    }

    /** How often the server repeated events or sent what cannot be read. Zero, if it keeps its promises. */
    public int violations() {
        return events.violations();
    }

    public boolean isClosed() {
        return events.isClosed();
    }

    @Override
    public void close() {
        events.close();
    }
}
