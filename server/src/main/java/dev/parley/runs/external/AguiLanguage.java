package dev.parley.runs.external;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.RunEvent;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The language AG-UI, whose events need no translation. RUN_STARTED is dropped, because the server has already begun
 * the run.
 */
final class AguiLanguage implements EventLanguage {
    @Override
    public void requireReadable(JsonNode event, String path) {
        EventIds.requireUsable(event, path);
        AguiJson.readEvent(event, path);
    }

    @Override
    public Words read(JsonNode event, long number, RunProgress progress) {
        AguiEvent read = AguiJson.readEvent(event, "events");
        return read instanceof RunEvent.Started ? Words.NONE : Words.of(List.of(read));
    }
}
