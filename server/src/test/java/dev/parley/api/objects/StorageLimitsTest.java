package dev.parley.api.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limits of the storage face, each on a server with a small one. */
class StorageLimitsTest {
    @Test
    void objectsOfOneOwnerAreLimited() {
        try (RunningServer small = RunningServer.start("--limit-owned-objects", "3")) {
            StorageCaller caller = StorageCaller.of(small);
            for (String name : List.of("1", "2", "3")) {
                caller.keep(name, name);
            }

            RawAnswer refused = caller.put("4", "text/plain", new byte[1]);
            RawAnswer copied = caller.post(StorageCaller.OBJECT + "copy", caller.way("1", "4"));

            assertThat(refused.status()).isEqualTo(413);
            assertThat(StorageCaller.json(refused).get("limit_objects").asInt()).isEqualTo(3);
            assertThat(copied.status()).isEqualTo(413);
            assertThat(caller.put("3", "text/plain", new byte[9], "x-upsert: true")
                            .status())
                    .isEqualTo(200);
            caller.remove("1");
            caller.keep("4", "there is room again");
            assertThat(StorageCaller.of(small)
                            .put("1", "text/plain", new byte[1])
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void bytesOfOneOwnerAreLimited() {
        try (RunningServer small = RunningServer.start("--limit-owned-bytes", "10")) {
            StorageCaller caller = StorageCaller.of(small);
            caller.keep("six", "666666");
            caller.keep("four", "4444");

            assertThat(caller.put("one", "text/plain", new byte[1]).status()).isEqualTo(413);
            assertThat(caller.put("nothing", "text/plain", new byte[0]).status())
                    .isEqualTo(200);
            assertThat(caller.put("four", "text/plain", new byte[5], "x-upsert: true")
                            .status())
                    .isEqualTo(413);
            assertThat(caller.put("four", "text/plain", new byte[3], "x-upsert: true")
                            .status())
                    .isEqualTo(200);
            caller.keep("one", "1");
            caller.remove("six");
            caller.keep("six-again", "666666");
        }
    }

    @Test
    void metadataIsAnObjectWithinItsLimit() {
        String fits = "{\"a\":\"" + "x".repeat(990) + "\"}";
        try (RunningServer small = RunningServer.start("--limit-metadata-bytes", Integer.toString(fits.length()))) {
            StorageCaller caller = StorageCaller.of(small);

            assertThat(uploadWithMetadata(caller, fits)).isEqualTo(200);
            assertThat(uploadWithMetadata(caller, fits.replace("x\"", "xx\""))).isEqualTo(400);
            assertThat(uploadWithMetadata(caller, "[]")).isEqualTo(400);
            assertThat(uploadWithMetadata(caller, "{")).isEqualTo(400);
            assertThat(uploadWithMetadata(caller, "{} {}")).isEqualTo(400);
            assertThat(uploadWithMetadata(caller, "{\"a\":\"\\u0000\"}")).isEqualTo(200);
            assertThat(caller.put("m", "text/plain", new byte[1], "x-metadata: ***")
                            .status())
                    .isEqualTo(400);
            assertThat(caller.put("m", "text/plain", new byte[1], "cache-control: " + "x".repeat(201))
                            .status())
                    .isEqualTo(400);
            assertThat(caller.put("m", "text/plain", new byte[1], "x-upsert: true", "cache-control: " + "x".repeat(200))
                            .status())
                    .isEqualTo(200);
        }
    }

    private static int uploadWithMetadata(StorageCaller caller, String metadata) {
        String encoded = Base64.getEncoder().encodeToString(metadata.getBytes(StandardCharsets.UTF_8));
        return caller.put("m", "text/plain", new byte[1], "x-upsert: true", "x-metadata: " + encoded)
                .status();
    }

    @Test
    void callerOverTheRateGetsRetryAfter() {
        try (RunningServer strict =
                RunningServer.start("--limit-polls-per-minute", "2", "--limit-uploads-per-minute", "1")) {
            StorageCaller caller = StorageCaller.of(strict);
            String url = caller.uploadUrl("a", true);
            assertThat(caller.open("PUT", url, "a").status()).isEqualTo(200);

            // An upload by an upload URL counts for the user who signed it.
            RawAnswer limited = caller.open("PUT", url, "a");
            assertThat(limited.status()).isEqualTo(429);
            assertThat(limited.header("Retry-After")).isPresent();
            assertThat(caller.put("b", "text/plain", new byte[1]).status()).isEqualTo(429);
            assertThat(caller.get("a").status()).isEqualTo(200);
            assertThat(caller.get("a").status()).isEqualTo(200);
            assertThat(caller.get("a").status()).isEqualTo(429);
        }
    }
}
