package dev.parley.api.agui;

import dev.parley.api.agui.ClientChecks.Theme;
import dev.parley.attachments.images.SampleImages;
import dev.parley.testing.RunningServer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** The AG-UI clients as they are published, and the core of CopilotKit, against a whole server. */
class AguiClientsTest {
    private static final List<String> THEMES = List.of(
            "talking",
            "history",
            "tools",
            "approvals",
            "state",
            "images",
            "errors",
            "stopping",
            "reload",
            "viewers",
            "longthread",
            "replay",
            "copilot");

    @TestFactory
    List<DynamicContainer> theUnmodifiedClientsWork() {
        try (RunningServer server = RunningServer.start("--rate-limits", "off");
                RunningServer strict = RunningServer.start("--rate-limits", "off", "--agui-disconnect", "cancel")) {
            Map<String, String> environment = environment(server);
            return ClientChecks.of(Stream.concat(
                            THEMES.stream().map(theme -> new Theme(theme, environment)),
                            Stream.of(new Theme("leaving", environment(strict))))
                    .toList());
        }
    }

    private static Map<String, String> environment(RunningServer server) {
        return Map.of(
                "PARLEY_URL", server.uri().toString(),
                "PARLEY_TOKEN", server.token(UUID.randomUUID(), "Ada"),
                "PARLEY_OTHER_TOKEN", server.token(UUID.randomUUID(), "Bob"),
                "PARLEY_PNG", base64(SampleImages.png(3, 2)),
                "PARLEY_OTHER_PNG", base64(SampleImages.png(5, 4)),
                // Named as in the checks that use it.
                "PARLEY_SEED", Integer.toString(new Random().nextInt(1_000_000)));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
