package dev.parley.runs.external;

import dev.parley.log.Effect;
import dev.parley.protocol.agui.AguiEvent;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The language in which an external driver tells of a run. What it says in ours is decided by the event and by what the
 * log holds of the run, and by nothing else: a server that is started again in mid-run goes on as if nothing had been.
 */
public interface EventLanguage {
    /**
     * Passes if the event can be read; of a post that holds one that cannot, nothing is taken.
     *
     * @param place where the event stands, such as {@code events[3]}
     */
    void requireReadable(JsonNode event, String place);

    /** @param number counts the run's events in this language, from 0 */
    Words read(JsonNode event, long number, RunProgress progress);

    /**
     * An event in our words.
     *
     * @param effects what else belongs to it, written in its transaction; each may be done twice
     * @param pauses whether the run waits for somebody who is not its driver until its next event, which may stand right
     *     behind this one
     */
    record Words(List<AguiEvent> events, List<Effect> effects, boolean pauses) {
        public static final Words NONE = new Words(List.of(), List.of(), false);

        public Words {
            events = List.copyOf(events);
            effects = List.copyOf(effects);
        }

        public static Words of(List<AguiEvent> events) {
            return new Words(events, List.of(), false);
        }
    }
}
