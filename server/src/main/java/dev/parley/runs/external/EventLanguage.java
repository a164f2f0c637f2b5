package dev.parley.runs.external;

import dev.parley.log.Effect;
import dev.parley.protocol.agui.AguiEvent;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The language in which an external driver reports a run. Its translation depends on the event and on the run's log
 * alone, so a server that restarts in the middle of a run continues it unchanged.
 */
public interface EventLanguage {
    /**
     * Passes if the event can be read; a post with an unreadable event is refused as a whole.
     *
     * @param path the path of the event, such as {@code events[3]}
     */
    void requireReadable(JsonNode event, String path);

    /** @param number the number of the event among the run's events in this language, from 0 */
    Words read(JsonNode event, long number, RunProgress progress);

    /**
     * The translation of an event.
     *
     * @param effects the effects that are written in the event's transaction; a second write must be harmless
     * @param pauses true if the run now waits for a participant other than its driver. The run's next event ends the
     *     pause, even if that event follows directly in the same post.
     */
    record Words(List<AguiEvent> events, List<Effect> effects, boolean pauses) {
        static final Words NONE = new Words(List.of(), List.of(), false);

        public Words {
            events = List.copyOf(events);
            effects = List.copyOf(effects);
        }

        static Words of(List<AguiEvent> events) {
            return new Words(events, List.of(), false);
        }
    }
}
