package dev.parley.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A scenario run so briefly that its tests can check that figures exist, but not their values.
 *
 * @param saved the content of the file
 */
public record ShortRun(int status, String output, JsonNode saved) {
    /** @param command without {@code --json}: the figures are saved in the folder */
    public static ShortRun of(Path folder, String command) {
        Path json = folder.resolve("figures.json");
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of("--json", json.toString()));
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int status = Main.run(words, new PrintStream(output, true, UTF_8));
        return new ShortRun(status, output.toString(UTF_8), Json.MAPPER.readTree(json.toFile()));
    }

    public JsonNode windows() {
        return saved.path("report").path("windows");
    }
}
