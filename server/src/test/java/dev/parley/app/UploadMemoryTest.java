package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Uploads do not use the heap, which is 256 MB for the server of these tests. */
class UploadMemoryTest {
    private static final int MB = 1024 * 1024;
    private static final int MAX_BYTES = 10 * MB;
    private static final String BOUNDARY = "upload-of-a-test";

    private static ServerProcess server;
    private static HttpClient client;

    @BeforeAll
    static void start() throws IOException {
        server = ServerProcess.start(Scratch.data(), "--rate-limits", "off");
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    /** An image of exactly the given size, most of it in a chunk that the server skips. */
    private static byte[] pngOf(int bytes, int number) {
        byte[] small = SampleImages.png(8, 8);
        int end = small.length - 12;
        byte[] content = new byte[bytes - small.length - 12];
        ByteBuffer.wrap(content).putInt(number);
        byte[] type = "prVt".getBytes(StandardCharsets.US_ASCII);
        CRC32 crc = new CRC32();
        crc.update(type);
        crc.update(content);
        return ByteBuffer.allocate(bytes)
                .put(small, 0, end)
                .putInt(content.length)
                .put(type)
                .put(content)
                .putInt((int) crc.getValue())
                .put(small, end, 12)
                .array();
    }

    private static byte[] before(String filename) {
        return ("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + filename
                        + "\"\r\nContent-Type: image/png\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] behind() {
        return ("\r\n--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static HttpResponse<String> upload(byte[] image) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.uri().resolve("/api/v1/agent/attachments"))
                .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                .timeout(Duration.ofSeconds(100))
                .POST(HttpRequest.BodyPublishers.ofByteArrays(List.of(before("a.png"), image, behind())))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void thirtyOfTheLargestUploadsAtOnceSucceedAndComeBackByteForByte() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> uploads = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                int number = i;
                uploads.add(threads.submit(() -> upload(pngOf(MAX_BYTES, number))));
            }
            for (int i = 0; i < 30; i++) {
                HttpResponse<String> answer = uploads.get(i).get(120, TimeUnit.SECONDS);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
                assertThat(differsFrom(url(answer), pngOf(MAX_BYTES, i))).isFalse();
            }
        }
    }

    private static URI url(HttpResponse<String> answer) {
        return URI.create(Json.MAPPER.readTree(answer.body()).get("url").asString());
    }

    private static boolean differsFrom(URI url, byte[] expected) throws Exception {
        HttpResponse<InputStream> answer =
                client.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            return !Arrays.equals(body.readAllBytes(), expected);
        }
    }

    @Test
    void anUploadOneByteOverTheLimitIsRefused() throws Exception {
        HttpResponse<String> answer = upload(pngOf(MAX_BYTES + 1, 0));
        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("payload-too-large", "10485760");
    }

    @Test
    void aDeclaredLengthOfTwoHundredMegabytesIsRefusedBeforeAnyOfItIsSent() throws Exception {
        try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(head("Content-Length: " + 200 * MB));
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 413");
        }
    }

    @Test
    void manyEndlessUploadsAreCutOffEarly() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> sent = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                sent.add(threads.submit(UploadMemoryTest::sendTwoHundredMegabytes));
            }
            for (Future<Long> each : sent) {
                // The limit, the bytes read and dropped after it, and the kernel's buffers.
                assertThat(each.get(100, TimeUnit.SECONDS)).isBetween((long) MAX_BYTES, 60L * MB);
            }
        }
        assertThat(server.get("/health").status()).isEqualTo(200);
    }

    private static long sendTwoHundredMegabytes() throws IOException {
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        first.writeBytes(head("Transfer-Encoding: chunked"));
        byte[] opening = before("a.png");
        first.writeBytes((Integer.toHexString(opening.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        first.writeBytes(opening);
        first.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        byte[] piece = new byte[64 * 1024];
        byte[] size = (Integer.toHexString(piece.length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        long sent = 0;
        try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(first.toByteArray());
            while (sent < 200L * MB) {
                out.write(size);
                out.write(piece);
                out.write('\r');
                out.write('\n');
                sent += piece.length;
            }
        } catch (IOException hungUp) {
            return sent;
        }
        return sent;
    }

    private static byte[] head(String length) {
        return ("POST /api/v1/agent/attachments HTTP/1.1\r\nHost: "
                        + server.uri().getAuthority() + "\r\n" + length
                        + "\r\nContent-Type: multipart/form-data; boundary=" + BOUNDARY + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
