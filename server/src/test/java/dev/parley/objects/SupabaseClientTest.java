package dev.parley.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.testing.NodeProject;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/** The storage client of Supabase, as it is published, in a node process of its own: every method against a whole server. */
class SupabaseClientTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int CHECKS = 30;

    @TestFactory
    Stream<DynamicTest> everyMethodOfTheUnmodifiedClientWorks() {
        NodeProject.Output output = run();
        assertThat(output.exit()).as(output.text()).isZero();
        List<JsonNode> lines =
                output.lines().stream().map(Json.MAPPER::readTree).toList();
        assertThat(lines.getLast().path("done").asInt())
                .isGreaterThanOrEqualTo(CHECKS)
                .isEqualTo(lines.size() - 1);
        return lines.stream()
                .limit(lines.size() - 1)
                .map(line -> DynamicTest.dynamicTest(
                        line.get("check").asString(),
                        () -> assertThat(line.get("failure").asString("")).isEmpty()));
    }

    private static NodeProject.Output run() {
        UUID user = UUID.randomUUID();
        UUID other = UUID.randomUUID();
        try (RunningServer server = RunningServer.start("--rate-limits", "off")) {
            return NodeProject.installed("supabase")
                    .run(
                            "storage.mjs",
                            LIMIT,
                            Map.of(
                                    "PARLEY_URL",
                                    server.uri().toString(),
                                    "PARLEY_USER",
                                    user.toString(),
                                    "PARLEY_TOKEN",
                                    server.token(user, "Ada"),
                                    "PARLEY_OTHER_USER",
                                    other.toString(),
                                    "PARLEY_OTHER_TOKEN",
                                    server.token(other, "Bob"),
                                    "PARLEY_PNG",
                                    Base64.getEncoder().encodeToString(SampleImages.png(3, 2))));
        }
    }
}
