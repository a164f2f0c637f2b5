package dev.parley.api.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * Calls the storage face with exactly the given bytes.
 *
 * @param folder the caller's own
 */
record StorageCaller(URI server, String token, String folder) {
    static final String OBJECT = "/storage/v1/object/";
    private static final Duration LIMIT = Duration.ofSeconds(20);

    static StorageCaller of(RunningServer server) {
        UUID user = UUID.randomUUID();
        return new StorageCaller(server.uri(), server.token(user, "Somebody"), "agent-inputs/" + user);
    }

    /** The address of an object in the caller's folder; the name is encoded already. */
    String at(String name) {
        return OBJECT + "agent-files/" + folder + "/" + name;
    }

    RawAnswer put(String name, String type, byte[] bytes, String... headers) {
        String[] all = new String[headers.length + 1];
        System.arraycopy(headers, 0, all, 1, headers.length);
        all[0] = "Content-Type: " + type;
        return send("POST", at(name), bytes, all);
    }

    /** Stores a text. */
    void keep(String name, String text) {
        RawAnswer kept = put(name, "text/plain", text.getBytes(StandardCharsets.UTF_8));
        assertThat(kept.status()).as(kept.text()).isEqualTo(200);
    }

    RawAnswer get(String name, String... headers) {
        return send("GET", at(name), new byte[0], headers);
    }

    RawAnswer post(String address, String json) {
        return send("POST", address, json.getBytes(StandardCharsets.UTF_8), "Content-Type: application/json");
    }

    /** A signed URL as a path of the server. */
    String signed(String name, int seconds) {
        RawAnswer signed = post(at(name).replace("/object/", "/object/sign/"), "{\"expiresIn\":" + seconds + "}");
        return "/storage/v1" + json(signed).get("signedURL").asString();
    }

    String uploadUrl(String name, boolean upsert) {
        RawAnswer granted =
                send("POST", at(name).replace("/object/", "/object/upload/sign/"), new byte[0], "x-upsert: " + upsert);
        return "/storage/v1" + json(granted).get("url").asString();
    }

    /** The body of a copy or a move within the caller's folder. */
    String way(String from, String to) {
        return "{\"bucketId\":\"agent-files\",\"sourceKey\":\"%1$s/%2$s\",\"destinationKey\":\"%1$s/%3$s\"}"
                .formatted(folder, from, to);
    }

    void remove(String name) {
        RawAnswer removed = send(
                "DELETE",
                OBJECT + "agent-files",
                ("{\"prefixes\":[\"" + folder + "/" + name + "\"]}").getBytes(StandardCharsets.UTF_8),
                "Content-Type: application/json");
        assertThat(json(removed)).hasSize(1);
    }

    static JsonNode json(RawAnswer answer) {
        return Json.MAPPER.readTree(answer.body());
    }

    /** Without any credential but that in the address. */
    RawAnswer open(String method, String address, String body) {
        return exchange(request(method, address, body.getBytes(StandardCharsets.UTF_8)));
    }

    RawAnswer send(String method, String address, byte[] body, String... headers) {
        String[] all = new String[headers.length + 1];
        System.arraycopy(headers, 0, all, 1, headers.length);
        all[0] = "Authorization: Bearer " + token;
        return exchange(request(method, address, body, all));
    }

    /** Status and headers alone, since no body follows. */
    RawAnswer head(String name, String... headers) throws IOException {
        String[] all = new String[headers.length + 1];
        System.arraycopy(headers, 0, all, 1, headers.length);
        all[0] = "Authorization: Bearer " + token;
        try (RawHttp connection = RawHttp.connect(server, LIMIT)) {
            connection.send(request("HEAD", at(name), new byte[0], all));
            return connection.readHead();
        }
    }

    private RawAnswer exchange(byte[] request) {
        try {
            return RawHttp.exchange(server, request, LIMIT);
        } catch (IOException lost) {
            throw new UncheckedIOException(lost);
        }
    }

    private static byte[] request(String method, String address, byte[] body, String... headers) {
        StringBuilder head = new StringBuilder(method + " " + address + " HTTP/1.1\r\nHost: x\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(body);
        return request.toByteArray();
    }
}
