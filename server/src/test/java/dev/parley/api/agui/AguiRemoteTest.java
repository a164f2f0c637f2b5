package dev.parley.api.agui;

import dev.parley.attachments.images.SampleImages;
import dev.parley.testing.RunningServer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** Agents on other servers: by the protocol's own packages in node, and by a second Parley server. */
class AguiRemoteTest {
    @TestFactory
    List<DynamicContainer> remoteAgentsWorkForTheUnmodifiedClients() {
        UUID operator = UUID.randomUUID();
        try (RunningServer second = RunningServer.start("--rate-limits", "off");
                RunningServer first = RunningServer.start(
                        "--rate-limits",
                        "off",
                        "--secret-second",
                        second.token(UUID.randomUUID(), "First"),
                        "--operators",
                        operator.toString())) {
            return ClientChecks.of(
                    List.of("remote"),
                    Map.of(
                            "PARLEY_URL", first.uri().toString(),
                            "PARLEY_TOKEN", first.token(UUID.randomUUID(), "Ada"),
                            "PARLEY_OPERATOR_TOKEN", first.token(operator, "Operator"),
                            "PARLEY_SECOND_URL", second.uri().toString(),
                            "PARLEY_PNG", Base64.getEncoder().encodeToString(SampleImages.png(3, 2))));
        }
    }
}
