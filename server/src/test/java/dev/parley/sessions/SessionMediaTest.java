package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.attachments.Attachments;
import dev.parley.attachments.FolderBlobs;
import dev.parley.attachments.ObjectParts;
import dev.parley.attachments.ObjectUrls;
import dev.parley.attachments.StoredObject;
import dev.parley.attachments.UrlTokens;
import dev.parley.attachments.images.SampleImages;
import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class SessionMediaTest {
    private static final ThreadId THREAD = new ThreadId(UuidV7.next());
    private static final Principal CALLER = new Principal.User(UUID.randomUUID(), "Ann", false, Instant.MAX);

    @TempDir
    private Path folder;

    private static final int MAX_ID = Limits.defaults().requests().opaqueId();

    private TestDatabase testDatabase;
    private Database database;
    private ObjectParts parts;
    private SessionMedia media;

    @BeforeEach
    void open() {
        testDatabase = RunningServer.freshDatabase();
        database = Database.open(RunningServer.storage(testDatabase.address()), 4);
        UrlTokens tokens = new UrlTokens(
                List.of("thirty-two bytes for the tests only".getBytes(StandardCharsets.US_ASCII)), Clock.systemUTC());
        parts = ObjectParts.of(
                database,
                new FolderBlobs(folder.resolve("blobs")),
                folder.resolve("arriving"),
                new ObjectUrls(tokens, () -> URI.create("https://chat.example")),
                tokens,
                Limits.defaults().objects());
        media = new SessionMedia(
                new Attachments(parts, Limits.defaults().objects(), MAX_ID, Clock.systemUTC()), MAX_ID);
    }

    @AfterEach
    void close() {
        parts.close();
        database.close();
        testDatabase.close();
    }

    private StoredMessage keep(String json) {
        MediaCutter.Cut cut = MediaCutter.cut(json.getBytes(StandardCharsets.UTF_8));
        SessionMedia.StoredMedia kept = media.keep(CALLER, THREAD, cut);
        show(kept.objects());
        // The stored text is read back from JSON, so it passes through JSON here as well.
        Medium[] stored = Json.MAPPER.readValue(Json.MAPPER.writeValueAsString(kept.media()), Medium[].class);
        return new StoredMessage(cut.json(), List.of(stored));
    }

    /** The effect of a message's append on its objects. */
    private void show(List<StoredObject> objects) {
        database.transact(handle -> {
            objects.forEach(
                    object -> handle.execute("insert into object_uses values (?, ?)", object.id(), THREAD.value()));
            return objects;
        });
    }

    private List<byte[]> restored(MediaMode mode, List<StoredMessage> messages) {
        RestoredMessages restored = media.restore(THREAD, messages, mode);
        List<byte[]> texts = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try {
                restored.write(i, out);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
            assertThat(restored.size(i)).isEqualTo(out.size());
            texts.add(out.toByteArray());
        }
        assertThat(restored.size())
                .isEqualTo(texts.stream().mapToLong(text -> text.length).sum());
        return texts;
    }

    private JsonNode restored(MediaMode mode, StoredMessage message) {
        return Json.MAPPER.readTree(restored(mode, List.of(message)).getFirst());
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** An image of several pieces of base64, whose length is no multiple of three. */
    private static byte[] image() {
        byte[] image = Arrays.copyOf(SampleImages.png(20, 20), 200_000);
        image[199_999] = 7;
        return image;
    }

    @Test
    void inlineMediaAreServedAsTheyCame() {
        List<String> messages = new ArrayList<>();
        for (long seed = 0; seed < 40; seed++) {
            messages.add(new SampleMessages(seed).next());
        }
        messages.add("{\"images\":[{\"content\":\"" + base64(image()) + "\"}]}");
        List<StoredMessage> stored = messages.stream().map(this::keep).toList();

        assertThat(restored(MediaMode.INLINE, stored))
                .map(text -> new String(text, StandardCharsets.UTF_8))
                .isEqualTo(messages);
        for (MediaMode mode : List.of(MediaMode.URL, MediaMode.REFERENCE)) {
            List<byte[]> texts = restored(mode, stored);
            for (int i = 0; i < texts.size(); i++) {
                JsonNode read = Json.MAPPER.readTree(texts.get(i));
                for (Medium medium : stored.get(i).media()) {
                    assertThat(read.at(medium.pointer()).has("content")).isFalse();
                    assertThat(read.at(medium.pointer())).hasSize(items(messages.get(i), medium));
                }
            }
        }
    }

    private static int items(String message, Medium medium) {
        return Json.MAPPER.readTree(message).at(medium.pointer()).size();
    }

    @Test
    void urlReplacesTheContent() {
        StoredMessage message = keep("{\"images\":[{\"id\":\"i\" , \"content\" : \"" + base64(image())
                + "\" , \"detail\":null}],\"role\":\"user\"}");

        String text = new String(restored(MediaMode.URL, List.of(message)).getFirst(), StandardCharsets.UTF_8);

        assertThat(text)
                .matches("\\{\"images\":\\[\\{\"id\":\"i\" , \"url\":\"https://chat\\.example/storage/v1/object/sign/"
                        + "agent-files/[^\"]+\\?token=[^\"]+\" , \"detail\":null}],\"role\":\"user\"}");
    }

    @Test
    void referenceHasTheMembersThatAgnoReads() {
        byte[] png = image();
        StoredMessage message = keep("{\"image_output\":{\"id\":\"图\",\"content\":\"" + base64(png)
                + "\"},\"audio\":[{\"format\":\"wav\",\"content\":\"" + base64(new byte[3_000]) + "\"}]}");

        JsonNode image = restored(MediaMode.REFERENCE, message).at("/image_output/media_reference");
        JsonNode audio = restored(MediaMode.REFERENCE, message).at("/audio/0/media_reference");

        assertThat(image.propertyNames())
                .containsExactly(
                        "media_id",
                        "storage_key",
                        "storage_backend",
                        "url",
                        "mime_type",
                        "size",
                        "content_hash",
                        "media_type");
        assertThat(image.get("media_id").asString()).isEqualTo("图");
        assertThat(image.get("storage_backend").asString()).isEqualTo("parley");
        assertThat(image.get("storage_key").asString())
                .isEqualTo(message.media().getFirst().key().toString());
        assertThat(image.get("url").asString()).startsWith("https://chat.example/storage/v1/object/sign/agent-files/");
        assertThat(image.get("size").asInt()).isEqualTo(png.length);
        assertThat(image.get("media_type").asString()).isEqualTo("image");
        assertThat(audio.get("mime_type").asString()).isEqualTo("audio/wav");
        assertThat(audio.get("media_type").asString()).isEqualTo("audio");
        assertThat(audio.get("media_id").asString())
                .isEqualTo(audio.get("content_hash").asString());
    }

    @Test
    void itemWithAReferenceOfItsOwnIsServedAsItCameInEveryMode() {
        String text = "{\"files\":[{\"url\":null,\"content\":\"" + base64(new byte[1_000]) + "\"}]}";
        StoredMessage message = keep(text);

        for (MediaMode mode : MediaMode.values()) {
            assertThat(restored(mode, List.of(message)).getFirst()).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void wrongTypeOfAMediumRefusesNoMessage() {
        String noImage = base64("no image at all ".repeat(100).getBytes(StandardCharsets.UTF_8));
        String jpeg = base64(SampleImages.jpeg(400, 400));
        StoredMessage message = keep("""
                {"images":[{"content":"%1$s","mime_type":"image/png"},
                 {"content":"%2$s","mime_type":"image/webp"},
                 {"content":"%1$s","mime_type":"\\u0000nonsense"},
                 {"content":"%1$s","mime_type":"image/svg+xml","filename":"\\u0000\\ud800.svg","id":"\\ud800"}]}""".formatted(noImage, jpeg));

        assertThat(message.media())
                .extracting(Medium::mimeType)
                .containsExactly("application/octet-stream", "image/jpeg", "application/octet-stream", "image/svg+xml");
        assertThat(message.media().getLast().mediaId()).isNull();
    }

    @Test
    void sameBytesAreStoredOnce() throws IOException {
        String same = "{\"content\":\"" + base64(image()) + "\"}";

        keep("{\"images\":[" + same + "," + same + "]}");

        try (Stream<Path> files = Files.walk(folder.resolve("blobs"))) {
            assertThat(files.filter(Files::isRegularFile)).hasSize(1);
        }
    }

    @Test
    void forgottenMediaLeaveNoObject() {
        MediaCutter.Cut cut = MediaCutter.cut(
                ("{\"images\":[{\"content\":\"" + base64(image()) + "\"}]}").getBytes(StandardCharsets.UTF_8));

        media.forget(media.keep(CALLER, THREAD, cut));

        assertThat(objects()).isZero();
    }

    @Test
    void tooLargeMediumLeavesNoneOfItsMessage() {
        byte[] large = new byte[(int) Limits.defaults().objects().uploadBytes() + 1];
        MediaCutter.Cut cut = MediaCutter.cut(
                ("{\"images\":[{\"content\":\"" + base64(image()) + "\"},{\"content\":\"" + base64(large) + "\"}]}")
                        .getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> media.keep(CALLER, THREAD, cut))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem()).isEqualTo(Problem.PAYLOAD_TOO_LARGE));
        assertThat(objects()).isZero();
    }

    private long objects() {
        return database.read(handle -> handle.createQuery("select count(*) from objects")
                .mapTo(Long.class)
                .one());
    }

    @Test
    void lostBytesAreAProblemAndNeverAShorterMessage() throws IOException {
        StoredMessage message = keep("{\"images\":[{\"content\":\"" + base64(image()) + "\"}]}");
        try (Stream<Path> files = Files.walk(folder.resolve("blobs"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }

        assertThatThrownBy(() -> restored(MediaMode.INLINE, message))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        lost -> assertThat(lost.problem()).isEqualTo(Problem.STORAGE_UNAVAILABLE));
    }

    /** The stored offsets and keys of a message open no object that was not shown in its thread. */
    @Test
    void objectNotShownInTheThreadIsNotServed() {
        StoredMessage message = keep("{\"images\":[{\"content\":\"" + base64(image()) + "\"}]}");
        ThreadId other = new ThreadId(UuidV7.next());

        for (MediaMode mode : MediaMode.values()) {
            assertThatThrownBy(() -> media.restore(other, List.of(message), mode))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            lost -> assertThat(lost.problem()).isEqualTo(Problem.STORAGE_UNAVAILABLE));
        }
    }
}
