package dev.parley.bench.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.Main;
import dev.parley.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ReadBenchTest {
    /** Small and short, but the buffers are exact also then: reading ten times as much touches no more. */
    @Test
    void readingALargerThreadTouchesNoMore(@TempDir Path folder) {
        Path json = folder.resolve("read.json");
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int status = Main.run(
                List.of(
                        "bench",
                        "read",
                        "--messages",
                        "10000",
                        "--threads",
                        "500",
                        "--requests",
                        "10",
                        "--json",
                        json.toString()),
                new PrintStream(output, true, UTF_8));
        assertThat(status).isZero();
        assertThat(output.toString(UTF_8)).contains("latest page", "list of threads", "at most 1.5");
        JsonNode rows = Json.MAPPER.readTree(json.toFile()).path("rows");
        assertThat(rows.size()).isGreaterThanOrEqualTo(10);
        for (JsonNode row : rows) {
            String route = row.path("route").asString();
            double small = row.path("small").asDouble();
            assertThat(small).as(route).isPositive();
            // Lists are left out: with so few threads the planner may join the whole table of them.
            if (row.path("bounded").asBoolean() && !route.startsWith("list")) {
                assertThat(row.path("large").asDouble()).as(route).isLessThanOrEqualTo(small * 1.5 + 2);
            }
        }
    }
}
