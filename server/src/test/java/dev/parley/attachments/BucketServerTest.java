package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.attachments.images.SampleImages;
import dev.parley.testing.Api;
import dev.parley.testing.Form;
import dev.parley.testing.RunningServer;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole server that keeps its objects in a bucket, also while the bucket is unavailable. */
class BucketServerTest {
    @TempDir
    private Path folder;

    @Test
    void imagesAreStoredInAndServedFromTheBucket() throws Exception {
        byte[] image = SampleImages.png(9, 4);
        try (S3Server bucket = S3Server.start(folder);
                RunningServer server = RunningServer.start(
                        "--storage",
                        "s3",
                        "--storage-bucket",
                        S3Server.BUCKET,
                        "--storage-endpoint",
                        bucket.uri().toString(),
                        "--storage-access-key",
                        bucket.settings().accessKey(),
                        "--storage-secret-key",
                        S3Server.secretKey(),
                        "--storage-prefix",
                        "parley")) {
            Api ada = server.api(UUID.randomUUID(), "Ada");
            assertThat(ada.get("/health/ready").status()).isEqualTo(200);
            Api.Reply uploaded = Form.file("a.png", "image/png", image).uploadBy(ada);
            assertThat(uploaded.status()).as(uploaded.toString()).isEqualTo(201);
            assertThat(server.count("select count(*) from blobs")).isOne();

            String url = uploaded.text("url");
            String address = url.substring(server.uri().toString().length());
            assertThat(server.api((String) null).get(address).answer().body()).isEqualTo(image);
            assertThat(server.api((String) null)
                            .send("GET", address, null, "Range: bytes=1-3")
                            .answer()
                            .text())
                    .isEqualTo("PNG");

            bucket.close();
            await().untilAsserted(
                            () -> assertThat(ada.get("/health/ready").problem()).contains("storage-unavailable"));
            Api.Reply lost =
                    Form.file("b.png", "image/png", SampleImages.png(3, 3)).uploadBy(ada);
            assertThat(lost.problem()).contains("storage-unavailable");
            assertThat(lost.header("Retry-After")).isPresent();
            assertThat(server.count("select count(*) from objects")).isOne();
        }
    }
}
