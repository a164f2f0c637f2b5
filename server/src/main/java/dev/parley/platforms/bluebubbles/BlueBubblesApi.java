package dev.parley.platforms.bluebubbles;

import dev.parley.ingest.RemoteFile;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.outbound.OutboundUrl;
import dev.parley.platforms.PlatformFiles;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls the operator's BlueBubbles server (<a
 * href="https://docs.bluebubbles.app/server/developer-guides/rest-api-and-webhooks">BlueBubbles: REST API and
 * webhooks</a>). The server accepts the password only in the URL. Therefore a URL with the password leaves this class
 * only for the call itself.
 */
final class BlueBubblesApi {
    private static final long MAX_BYTES = 32L * 1024 * 1024;

    private final Calls calls;
    private final PlatformFiles files;
    private final String base;
    private final String password;

    BlueBubblesApi(Calls calls, PlatformFiles files, URI url, String password) {
        this.calls = calls;
        this.files = files;
        this.base = Alphabet.SLASHES.strippedFromEnd(url.toString()) + "/api/v1/";
        this.password = "?password=" + segment(password);
    }

    /**
     * An answer of the server.
     *
     * @param body a missing node if the body is not JSON
     * @param retryAfter the raw header
     */
    record Reply(int status, JsonNode body, @Nullable String retryAfter) {
        JsonNode content() {
            return body.path("data");
        }

        /** True if the BlueBubbles server itself answered, and not a proxy or tunnel in front of it. */
        boolean isFromBlueBubbles() {
            return body.path("status").asInt(0) == status;
        }
    }

    Reply get(String path, Duration limit) throws Calls.NoAnswer, OutboundRefused, InterruptedException {
        return make(Calls.Request.get(address(path)), limit);
    }

    Reply post(String path, ObjectNode body, Duration limit)
            throws Calls.NoAnswer, OutboundRefused, InterruptedException {
        byte[] bytes = Json.MAPPER.writeValueAsBytes(body);
        return make(Calls.Request.post(address(path), "application/json", bytes), limit);
    }

    private Reply make(Calls.Request request, Duration limit)
            throws Calls.NoAnswer, OutboundRefused, InterruptedException {
        Calls.Answer answer =
                calls.make(request.trusted().within(limit).atMost(MAX_BYTES).with("Accept", "application/json"));
        return new Reply(
                answer.status(),
                parse(answer.body()),
                answer.header("Retry-After").orElse(null));
    }

    private static JsonNode parse(byte[] body) {
        try {
            return body.length == 0 ? MissingNode.getInstance() : Json.MAPPER.readTree(body);
        } catch (JacksonException notJson) {
            return MissingNode.getInstance();
        }
    }

    /** The URL of an attachment for people, without the password that its download needs. */
    String attachmentUrl(String guid) {
        return base + download(guid);
    }

    byte[] attachment(String guid) throws RemoteFile.Failed, InterruptedException {
        OutboundUrl address;
        try {
            address = address(download(guid));
        } catch (IllegalArgumentException unusable) {
            throw new RemoteFile.Failed("The file's URL is not valid.");
        }
        return files.fetch(address.uri().toString(), Set.of(address.destination()), Map.of(), true);
    }

    private static String download(String guid) {
        return "attachment/" + segment(guid) + "/download";
    }

    private OutboundUrl address(String path) {
        return OutboundUrl.parse(base + path + password);
    }

    /** The text encoded as a part of a path or a query. */
    static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
