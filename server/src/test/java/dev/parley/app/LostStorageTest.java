package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A server whose storage folder is missing, as with a volume that was not mounted. */
class LostStorageTest {
    @Test
    void serverIsNotReadyUntilItsStorageIsBack() throws Exception {
        Path data = Scratch.folder("lost-storage");
        try (RunningServer server = RunningServer.start("--data", data.toString())) {
            Api anybody = server.api((String) null);
            assertThat(anybody.get("/health/ready").json().at("/checks/storage").asString())
                    .isEqualTo("ok");
            Path store = data.resolve("blobs");
            Files.move(store, data.resolve("elsewhere"));
            await().untilAsserted(() ->
                    assertThat(anybody.get("/health/ready").problem()).contains("storage-unavailable"));
            Api.Reply lost = anybody.get("/health/ready");
            assertThat(lost.json().at("/checks/storage").asString()).isEqualTo("unavailable");
            assertThat(lost.json().at("/checks/database").asString()).isEqualTo("ok");
            assertThat(anybody.get("/health").status()).isEqualTo(200);
            Files.move(data.resolve("elsewhere"), store);
            await().untilAsserted(() ->
                    assertThat(anybody.get("/health/ready").status()).isEqualTo(200));
        }
    }
}
