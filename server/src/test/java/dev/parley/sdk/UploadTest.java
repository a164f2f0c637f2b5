package dev.parley.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.AttachmentUploaded;
import dev.parley.protocol.chat.Message;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.FaultProxy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images by the SDK, against a whole server. */
class UploadTest {
    private static final UUID USER = UUID.randomUUID();
    private static final int MAX_BYTES = 10 * 1024 * 1024;
    private static final byte[] SMALL = SampleImages.png(30, 20);

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    @SuppressWarnings("NullAway.Init")
    @TempDir
    private static Path folder;

    private final ThreadId thread = ThreadId.fresh();

    private static Attachments attachments() {
        return server.as(USER).attachments();
    }

    /** An image of exactly the given size, most of it in a chunk that readers skip. */
    private static Path pngOf(int bytes) throws IOException {
        int filling = bytes - SMALL.length - 12;
        byte[] kind = "prVt".getBytes(StandardCharsets.US_ASCII);
        CRC32 sum = new CRC32();
        sum.update(kind);
        sum.update(new byte[filling]);
        int end = SMALL.length - 12;
        ByteBuffer whole = ByteBuffer.allocate(bytes)
                .put(SMALL, 0, end)
                .putInt(filling)
                .put(kind)
                .position(end + 8 + filling)
                .putInt((int) sum.getValue())
                .put(SMALL, end, 12);
        return Files.write(folder.resolve(bytes + ".png"), whole.array());
    }

    private static Upload small() {
        return Upload.of(() -> new ByteArrayInputStream(SMALL), SMALL.length, "a \"small\" 图.png", "image/png");
    }

    private record Step(long sent, long total) {}

    private static void assertWhole(List<Step> steps, long total) {
        assertThat(steps).extracting(Step::total).containsOnly(total);
        assertThat(steps).extracting(Step::sent).isSorted().doesNotHaveDuplicates();
        assertThat(steps.getLast().sent()).isEqualTo(total);
    }

    @Test
    void theLargestFileIsReadFromDiskAndReportsItsProgress() throws IOException {
        List<Step> steps = new CopyOnWriteArrayList<>();

        AttachmentUploaded uploaded = attachments()
                .upload(
                        Upload.of(pngOf(MAX_BYTES)).in(thread).forRun("run-1"),
                        (sent, total) -> steps.add(new Step(sent, total)));

        assertThat(uploaded.bucket()).isEqualTo("agent-files");
        assertThat(uploaded.mimeType()).isEqualTo("image/png");
        assertThat(uploaded.path())
                .startsWith("agent-inputs/" + USER + "/" + thread + "/run-1/")
                .endsWith("-" + MAX_BYTES + ".png");
        assertWhole(steps, MAX_BYTES);
        assertThat(steps).hasSizeGreaterThan(10);
    }

    @Test
    void aTooLargeFileIsRefusedInTheServersWords() throws IOException {
        Upload upload = Upload.of(pngOf(MAX_BYTES + 1));
        Attachments attachments = attachments();

        ParleyProblem problem = catchThrowableOfType(ParleyProblem.class, () -> attachments.upload(upload));

        assertThat(problem.status()).isEqualTo(413);
        assertThat(problem.detail()).contains(MAX_BYTES + " bytes");
    }

    @Test
    void aFileThatIsNoImageIsRefusedInTheServersWords() {
        byte[] text = "Hello".getBytes(StandardCharsets.UTF_8);
        Upload upload = Upload.of(new ByteArrayInputStream(text), text.length, "a.png", "image/png");
        Attachments attachments = attachments();

        ParleyProblem problem = catchThrowableOfType(ParleyProblem.class, () -> attachments.upload(upload));

        assertThat(problem.status()).isEqualTo(415);
        assertThat(problem.detail()).startsWith("The file is text; only png");
    }

    @Test
    void anUploadWhoseAnswersAreLostIsStoredOnceAndItsProgressNeverGoesBack() throws IOException {
        List<Step> steps = new CopyOnWriteArrayList<>();
        UUID unlucky = UUID.randomUUID();
        try (FaultProxy proxy = FaultProxy.to(server.uri());
                Parley client = Parley.at(proxy.uri())
                        .token(new Token(server.token(unlucky, "Unlucky")))
                        .retryCalls(new RetryPolicy(
                                20, Duration.ofSeconds(30), Duration.ofMillis(1), Duration.ofMillis(20)))
                        .connect()) {
            proxy.dropNextAnswers(2, line -> line.startsWith("POST "));

            client.attachments().upload(small(), (sent, total) -> steps.add(new Step(sent, total)));

            assertThat(proxy.droppedAnswers()).isEqualTo(2);
        }
        assertThat(server.count("select count(*) from objects where path like '%" + unlucky + "%'"))
                .isEqualTo(1);
        assertWhole(steps, SMALL.length);
    }

    @Test
    void aStreamThatCanBeReadOnceIsSentOnce() throws IOException {
        try (FaultProxy proxy = FaultProxy.to(server.uri());
                Parley client = Parley.at(proxy.uri())
                        .token(new Token(server.token(USER, "Unlucky")))
                        .connect()) {
            proxy.dropNextAnswers(1, line -> line.startsWith("POST "));
            Upload upload = Upload.of(new ByteArrayInputStream(SMALL), SMALL.length, "once.png", "image/png");

            assertThatThrownBy(() -> client.attachments().upload(upload))
                    .isInstanceOfSatisfying(
                            ParleyUnreachable.class,
                            lost -> assertThat(lost.outcomeUnknown()).isTrue());
            assertThat(proxy.droppedAnswers()).isEqualTo(1);
        }
    }

    @Test
    void aFileShorterThanItsDeclaredLengthIsNotUploaded() {
        Upload upload = Upload.of(
                new ByteArrayInputStream(Arrays.copyOf(SMALL, SMALL.length - 1)),
                SMALL.length,
                "short.png",
                "image/png");
        Attachments attachments = attachments();

        assertThatThrownBy(() -> attachments.upload(upload)).isInstanceOf(ParleyUnreachable.class);
    }

    @Test
    void anAgentSeesTheImageOfARun() {
        Parley client = server.as(USER);
        AttachmentUploaded image = client.attachments().upload(small().in(thread));

        String run = client.runs().start(thread, "Look", List.of(image, image)).runId();

        String seen = "I see an image: image/png, " + SMALL.length + " bytes, 30 × 20 pixels.";
        assertThat(answer(client, run)).isEqualTo("You said: Look\n" + seen + "\n" + seen);
        String alone = client.runs().start(thread, "", List.of(image)).runId();
        assertThat(answer(client, alone)).isEqualTo(seen);
        assertThat(client.attachments().signedUrl(image.bucket(), image.path()).url())
                .startsWith(server.uri() + "/storage/v1/object/sign/agent-files/agent-inputs/" + USER + "/")
                .isNotEqualTo(image.url());
        assertThatThrownBy(() -> server.asSomebody().attachments().signedUrl(image.bucket(), image.path()))
                .isInstanceOfSatisfying(
                        ParleyProblem.class,
                        problem -> assertThat(problem.status()).isEqualTo(404));
    }

    private String answer(Parley client, String run) {
        try (RunSubscription subscription = client.runs().follow(thread, run, event -> {})) {
            assertThat(subscription.awaitEnd(Duration.ofSeconds(30))).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        List<Message> messages = client.thread(thread).latestMessages(1).messages();
        return messages.getLast().content();
    }
}
