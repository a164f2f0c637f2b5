package dev.parley.api.objects;

import dev.parley.attachments.images.SampleImages;
import dev.parley.testing.NodeChecks;
import dev.parley.testing.NodeProject;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** The published storage client of Supabase, in a node process of its own: every method against a whole server. */
class SupabaseClientTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int CHECKS = 33;

    @TestFactory
    List<DynamicContainer> unmodifiedClient_everyMethodWorks() {
        return NodeProject.everyVersion("supabase").stream()
                .map(project ->
                        DynamicContainer.dynamicContainer(project.versions(), NodeChecks.of(run(project), CHECKS)))
                .toList();
    }

    private static NodeProject.Output run(NodeProject project) {
        UUID user = UUID.randomUUID();
        UUID other = UUID.randomUUID();
        try (RunningServer server = RunningServer.start("--rate-limits", "off")) {
            return project.run(
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
