package dev.parley.face.agui;

import dev.parley.http.Frames;
import dev.parley.log.Event;
import dev.parley.log.Line;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Encodes the events of one run for the run's client, up to the terminal event. Every stream begins with a RUN_STARTED
 * of its own, so the RUN_STARTED in the log is left out.
 */
record AguiEncoder(UUID run, Echo echo) implements Function<Event, Frames> {
    private static final String TYPE = "{\"type\":\"";

    @Override
    public Frames apply(Event event) {
        if (!(event instanceof Event.Emitted emitted) || !run.equals(emitted.run())) {
            return Frames.NONE;
        }
        List<Frames> frames = new ArrayList<>(emitted.lines().size());
        for (Line line : emitted.lines()) {
            String type = type(line.json());
            if (Echo.isTerminal(type) || echo.dialect().adapts(type)) {
                frames.add(echo.frame(line.position(), line.json()));
            } else if (!type.equals("RUN_STARTED")) {
                frames.add(Frames.json(
                        Long.toString(line.position()), type, line.json().getBytes(StandardCharsets.UTF_8)));
            }
        }
        return Frames.concat(frames);
    }

    /** Lines in the log are written by the server, with their type first. */
    private static String type(String json) {
        return json.substring(TYPE.length(), json.indexOf('"', TYPE.length()));
    }
}
