package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.testkit.FaultProxy;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class S3BlobsTest extends BlobStoreContract {
    @TempDir
    private Path data;

    private S3Server server;
    private S3Blobs store;

    @BeforeEach
    void start() throws Exception {
        server = S3Server.start(data);
        store = new S3Blobs(server.settings());
    }

    @AfterEach
    void stop() throws Exception {
        store.close();
        server.close();
    }

    @Override
    BlobStore store() {
        return store;
    }

    @Override
    void takeAway() throws Exception {
        server.close();
    }

    @Override
    long storedBytes(BlobId id) throws IOException {
        return server.has(id.hex()) ? Files.size(server.file(id.hex())) : -1;
    }

    @Test
    void keyHasThePrefix() throws Exception {
        try (S3Blobs prefixed = new S3Blobs(
                        server.settings(server.uri(), S3Server.BUCKET, S3Server.secretKey(), "company/parley"));
                StagedBlob staged = staged(random(10))) {
            prefixed.put(staged.id(), staged);

            assertThat(server.has("company/parley/" + staged.id().hex())).isTrue();
            assertThat(prefixed.has(staged.id())).isTrue();
            assertThat(store.has(staged.id())).isFalse();
        }
    }

    @Test
    void objectOfAnotherLengthIsReplaced() throws Exception {
        byte[] bytes = random(5000);
        BlobId id = put(bytes);
        Cut.to(server.file(id.hex()), 4999);

        assertThatThrownBy(() -> store.open(id, 0, 5000)).isInstanceOf(MissingBlob.class);
        put(bytes);

        assertThat(server.file(id.hex())).hasBinaryContent(bytes);
    }

    @Test
    void bytesWithAnotherHashAreRefusedByTheStore() throws Exception {
        try (StagedBlob staged = staged(random(5000))) {
            Files.write(staged.file(), new byte[5000]);

            unavailable(() -> store.put(staged.id(), staged));
            assertThat(server.has(staged.id().hex())).isFalse();
        }
    }

    @Test
    void wrongCredentialsAreUnavailableAndNotEmpty() throws Exception {
        BlobId id = put(random(10));
        try (S3Blobs stranger = new S3Blobs(server.settings(server.uri(), S3Server.BUCKET, "not the secret", ""));
                StagedBlob staged = staged(random(11))) {
            unavailable(() -> stranger.put(staged.id(), staged));
            unavailable(() -> stranger.open(id, 0, 10));
            unavailable(() -> stranger.has(id));
            unavailable(() -> stranger.remove(id));
            assertThatThrownBy(stranger::check)
                    .hasMessageContaining("403")
                    .hasMessageContaining(S3Server.BUCKET)
                    .hasMessageNotContaining("not the secret");
        }
        assertThat(store.has(id)).isTrue();
    }

    @Test
    void missingBucketIsUnavailable() throws Exception {
        try (S3Blobs lost = new S3Blobs(server.settings(server.uri(), "nowhere", S3Server.secretKey(), ""));
                StagedBlob staged = staged(random(11))) {
            unavailable(lost::check);
            unavailable(() -> lost.put(staged.id(), staged));
            unavailable(() -> lost.open(staged.id(), 0, 11));
        }
    }

    @Test
    void silentStoreIsUnavailable() throws Exception {
        try (FaultProxy network = FaultProxy.to(server.uri());
                S3Blobs behind = behind(network)) {
            behind.check();
            network.pause();

            unavailable(behind::check);
        }
    }

    @Test
    void interruptedStreamThrows() throws Exception {
        int length = 10 * 1024 * 1024;
        BlobId id = put(random(length));
        FaultProxy network = FaultProxy.to(server.uri());
        try (S3Blobs behind = behind(network);
                InputStream in = behind.open(id, 0, length)) {
            assertThat(in.readNBytes(10)).hasSize(10);
            network.close();

            assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
        }
    }

    private S3Blobs behind(FaultProxy network) {
        return new S3Blobs(server.settings(
                URI.create("http://127.0.0.1:" + network.port()), S3Server.BUCKET, S3Server.secretKey(), ""));
    }

    @Test
    void settingsDoNotPrintTheirSecret() {
        assertThat(server.settings().toString()).doesNotContain(S3Server.secretKey());
    }
}
