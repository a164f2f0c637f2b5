package dev.parley.api.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that no client of ours sends are refused everywhere, and leave no object. */
class HostileNamesTest {
    private static final byte[] EVIL = "evil".getBytes(StandardCharsets.UTF_8);
    private static final UUID VICTIM = UUID.randomUUID();

    private static Path data;
    private static RunningServer server;
    private static StorageCaller caller;

    @BeforeAll
    static void start() throws IOException {
        data = Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "data");
        server = RunningServer.start("--data", data.toString(), "--rate-limits", "off");
        caller = StorageCaller.of(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The paths after the address of objects; OWN and ID stand for the caller's folder and its last part. */
    static Stream<String> names() {
        return Stream.of(
                "agent-files/OWN/../x",
                "agent-files/OWN/../../x",
                "agent-files/OWN/a/../../../x",
                "agent-files/OWN/..",
                "agent-files/OWN/.",
                "agent-files/OWN/./x",
                "agent-files/OWN/%2e%2e/x",
                "agent-files/OWN/%2E%2E/%2E%2E/etc/passwd",
                "agent-files/OWN/.%2e/x",
                "agent-files/OWN/..%2fx",
                "agent-files/OWN/%2fetc%2fpasswd",
                "agent-files/OWN/a%2Fb",
                "agent-files/OWN/a%5cb",
                "agent-files/OWN/..%5c..%5cx",
                "agent-files/OWN/a\\b",
                "agent-files/OWN/%00",
                "agent-files/OWN/a%00.png",
                "agent-files/OWN/a%0d%0aX-Evil:%201",
                "agent-files/OWN/%7f",
                "agent-files/OWN/%c2%85",
                "agent-files/OWN/a//b",
                "agent-files/OWN//b",
                "agent-files/OWN/a/",
                "agent-files//OWN/a",
                "/agent-files/OWN/a",
                "agent-files/OWN/%ff",
                "agent-files/OWN/%c0%ae%c0%ae/x",
                "agent-files/OWN/%ed%a0%80",
                "agent-files/OWN/%zz",
                "agent-files/OWN/%4",
                "agent-files/OWN/%u002e",
                "agent-files/OWN/" + "x".repeat(2_000),
                "agent-files/OWN",
                "agent-files/OWNx/y",
                "agent-files/OWN%2e/y",
                "agent-files/OWN%20/y",
                "agent-files/agent-inputs/UPPER/y",
                "agent-files/Agent-Inputs/ID/y",
                "agent-files/agent-inputs%2fID/y",
                "agent-files/agent-inputs%ef%bc%8fID/y",
                "agent-files/%61gent-inputs%20/ID/y",
                "agent-files/agent-inputs/agent-ID/y",
                "agent-files/agent-inputs/" + VICTIM + "/y",
                "agent-files/x",
                "other/OWN/x",
                "Agent-Files/OWN/x",
                "agent-files%20/OWN/x",
                "agent-files%2f../OWN/x",
                "%d0%b0gent-files/OWN/x",
                "agent-files%00/OWN/x");
    }

    @ParameterizedTest
    @MethodSource("names")
    void invalidNameReachesNoObject(String name) throws IOException {
        String id = caller.folder().substring(caller.folder().lastIndexOf('/') + 1);
        String target = name.replace("OWN", caller.folder())
                .replace("UPPER", id.toUpperCase(Locale.ROOT))
                .replace("ID", id);
        List<Object> before = kept();

        for (String method : List.of("POST", "PUT")) {
            RawAnswer answer = caller.send(
                    method, StorageCaller.OBJECT + target, EVIL, "Content-Type: text/plain", "x-upsert: true");
            assertThat(answer.status()).as(method + " " + answer.text()).isIn(400, 403, 404, 405);
            assertShape(answer);
        }
        for (String place : List.of("", "authenticated/", "info/")) {
            RawAnswer answer = caller.send("GET", StorageCaller.OBJECT + place + target, new byte[0]);
            assertThat(answer.status()).as(place + " " + answer.text()).isIn(400, 404, 405);
            assertShape(answer);
        }
        RawAnswer signed = caller.post(StorageCaller.OBJECT + "sign/" + target, "{\"expiresIn\":60}");
        RawAnswer granted = caller.post(StorageCaller.OBJECT + "upload/sign/" + target, "{}");
        assertThat(signed.status()).as(signed.text()).isIn(400, 404, 405);
        assertThat(granted.status()).as(granted.text()).isIn(400, 403, 404, 405);
        assertThat(kept()).isEqualTo(before);
    }

    private static void assertShape(RawAnswer answer) {
        assertThat(answer.header("Content-Type")).contains("application/json");
        assertThat(StorageCaller.json(answer).get("statusCode").asString())
                .isEqualTo(Integer.toString(answer.status()));
        assertThat(StorageCaller.json(answer).get("error").asString()).isNotEmpty();
        assertThat(StorageCaller.json(answer).get("message").asString()).isNotEmpty();
    }

    /** Names in bodies are not encoded, so nothing is decoded there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "OWN/../x", "OWN/..", "OWN//x", "OWN/x/", "/OWN/x", "OWN/a\\\\b", "OWN/\\u0000", "OWN/a\\u000d\\u000ab",
                        "OWN",
                "", ".", "../x", "/etc/passwd", "OWNx/y", "agent-inputs", "OWN/\\ud800", "%2e%2e/x", "OWN/../OWN2/x"
            })
    void invalidNameInABodyReachesNoObject(String name) throws IOException {
        caller.keep("here", "here");
        List<Object> before = kept();
        String path = name.replace("OWN", caller.folder());

        for (String call : List.of("move", "copy")) {
            String way = "{\"bucketId\":\"agent-files\",\"sourceKey\":\"%s\",\"destinationKey\":\"%s\"}";
            RawAnswer to = caller.post(StorageCaller.OBJECT + call, way.formatted(caller.folder() + "/here", path));
            RawAnswer from = caller.post(StorageCaller.OBJECT + call, way.formatted(path, caller.folder() + "/there"));
            assertThat(to.status()).as(to.text()).isIn(400, 403);
            assertThat(from.status()).as(from.text()).isIn(400, 403, 404);
        }
        RawAnswer signed = caller.post(
                StorageCaller.OBJECT + "sign/agent-files", "{\"expiresIn\":60,\"paths\":[\"" + path + "\"]}");
        assertThat(signed.status()).isIn(200, 400);
        assertThat(signed.text()).doesNotContain("token=");
        RawAnswer removed = caller.send(
                "DELETE",
                StorageCaller.OBJECT + "agent-files",
                ("{\"prefixes\":[\"" + path + "\"]}").getBytes(StandardCharsets.UTF_8),
                "Content-Type: application/json");
        assertThat(removed.status()).isIn(200, 400);
        assertThat(kept()).isEqualTo(before);
        caller.send(
                "DELETE",
                StorageCaller.OBJECT + "agent-files",
                ("{\"prefixes\":[\"" + caller.folder() + "/here\"]}").getBytes(StandardCharsets.UTF_8),
                "Content-Type: application/json");
    }

    /** Decoded once, such a name is an ordinary name, and leads nowhere else. */
    @Test
    void doublyEncodedNameIsTakenLiterally() {
        for (String name : List.of("%252e%252e", "%252f", "%255c", "%2500", "%ef%bc%8e%ef%bc%8e", "%e2%88%95")) {
            caller.keep(name, name);
            assertThat(caller.get(name).text()).isEqualTo(name);
        }
        assertThat(Set.copyOf(server.select("select path from objects where path like '" + caller.folder() + "/%'")))
                .contains(
                        caller.folder() + "/%2e%2e",
                        caller.folder() + "/%2f",
                        caller.folder() + "/%5c",
                        caller.folder() + "/%00",
                        caller.folder() + "/．．",
                        caller.folder() + "/∕");
    }

    @Test
    void pathLengthIsLimited() {
        int room = 1_024 - caller.folder().length() - 1;

        assertThat(caller.put("x".repeat(room), "text/plain", EVIL).status()).isEqualTo(200);
        assertThat(caller.put("x".repeat(room + 1), "text/plain", EVIL).status())
                .isEqualTo(400);
    }

    /** A longer path is refused before any work: stripping its slashes took hours. */
    @Test
    void listingPrefixIsLimitedToAPathsLength() {
        for (String route : List.of("/storage/v1/object/list/agent-files", "/storage/v1/object/list-v2/agent-files")) {
            assertThat(caller.post(route, "{\"prefix\":\"" + "/".repeat(1_024) + "\"}")
                            .status())
                    .isEqualTo(200);
            assertThat(caller.post(route, "{\"prefix\":\"" + "/".repeat(900_000) + "b\"}")
                            .text())
                    .contains("prefix", "longer than the limit of 1024 bytes");
        }
        assertThat(caller.post(
                                "/storage/v1/object/list/agent-files",
                                "{\"prefix\":\"\",\"search\":\"" + "é".repeat(513) + "\"}")
                        .text())
                .contains("search", "longer than the limit of 1024 bytes");
    }

    /** No text of a client becomes the name of a file: blobs are named by their hash. */
    @Test
    void filesAreNamedByTheirHashAlone() throws IOException {
        caller.keep("plain%20name.txt", "called by its hash");

        try (Stream<Path> files = Files.walk(data.resolve("blobs"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString())
                            // The file by which nodes recognize that they share the folder.
                            .filter(name -> !name.equals("store-id")))
                    .isNotEmpty()
                    .allMatch(name -> name.matches("[0-9a-f]{64}"));
        }
    }

    private static List<Object> kept() throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return List.of(
                    server.count("select count(*) from objects"),
                    server.count("select count(*) from blobs"),
                    server.select("select owner || objects || bytes from storage_usage order by 1"),
                    files.filter(Files::isRegularFile).count());
        }
    }
}
