package dev.parley.sdk;

import dev.parley.protocol.agui.AguiJson;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The AG-UI events of one run or of a whole thread, pulled one by one. Every event comes once and in order, even if the
 * connection is lost. The stream of one run ends after its terminal event, or if the requested position is ahead of the
 * log. One Java thread at a time may read; any Java thread may close the stream.
 */
public final class RunStream implements AutoCloseable {
    private final OrderedFrames<Long, PlacedEvent> events;
    private final boolean oneRun;
    private volatile boolean ended;

    /**
     * @param oneRun true if the path names a run
     * @param after the position to begin after; null for the run's beginning
     */
    RunStream(Transport transport, String path, boolean oneRun, @Nullable Long after, Consumer<StreamState> states) {
        this.oneRun = oneRun;
        this.events = new OrderedFrames<>(transport, path, new Positions(), after, passing -> {}, states);
    }

    /**
     * The format of a stream of runs. Positions grow, but with gaps, because other runs and the thread's messages have
     * the positions in between.
     */
    private record Positions() implements OrderedFrames.Format<Long, PlacedEvent> {
        @Override
        public Optional<Long> position(String eventId) {
            return eventId.matches("[0-9]{1,18}") ? Optional.of(Long.valueOf(eventId)) : Optional.empty();
        }

        @Override
        public boolean follows(Long position, Long earlier) {
            return position > earlier;
        }

        @Override
        public PlacedEvent event(Long position, SseFrame frame) {
            return new PlacedEvent(position, AguiJson.readEvent(frame.data()));
        }

        @Override
        public boolean jumps(PlacedEvent event) {
            return event.resync().isPresent();
        }
    }

    /**
     * The next event; empty if no event came in time, or no event will come. Fails as {@link EventStream#next} does.
     */
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

    /**
     * The position of the last event returned, for resuming later. Before the first event, the position to begin after;
     * empty if the stream starts at the run's beginning.
     */
    public OptionalLong position() {
        return events.position().stream().mapToLong(Long::longValue).findFirst();
    }

    /** True if the last event has been returned, or lies before the beginning of this stream. */
    public boolean isEnded() {
        return ended || events.isEnded();
    }

    /** The number of times that the server repeated events or sent unreadable ones. Zero for a correct server. */
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
