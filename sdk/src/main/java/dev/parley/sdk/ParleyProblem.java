package dev.parley.sdk;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The server's refusal of a request. If a gateway between client and server answered, the fields that its answer lacks
 * are empty.
 */
public final class ParleyProblem extends RuntimeException {
    private static final Set<Integer> PASSING = Set.of(408, 429, 502, 503, 504);
    private static final Set<String> KNOWN =
            Set.of("type", "title", "status", "detail", "instance", "code", "message", "errors", "retryable");
    private static final Duration MAX_WAIT = Duration.ofHours(1);

    private final int status;
    private final String slug;
    private final String code;
    private final String detail;
    private final transient List<FieldError> errors;
    private final boolean retryable;
    private final transient ObjectNode members;
    private final @Nullable String requestId;
    private final @Nullable Duration retryAfter;
    private final boolean outcomeUnknown;

    private ParleyProblem(int status, ObjectNode body, @Nullable Duration retryAfter, boolean outcomeUnknown) {
        super(status + " " + slug(body) + ": " + text(body, "detail"), null, false, false);
        this.status = status;
        this.slug = slug(body);
        this.code = text(body, "code");
        this.detail = text(body, "detail");
        this.errors = errors(body);
        this.retryable = body.path("retryable").asBoolean(PASSING.contains(status));
        this.requestId = body.path("instance").isString() ? text(body, "instance") : null;
        this.members = body.deepCopy().remove(KNOWN);
        this.retryAfter = retryAfter;
        this.outcomeUnknown = outcomeUnknown;
    }

    static ParleyProblem read(int status, HttpHeaders headers, byte[] body, boolean outcomeUnknown) {
        Duration wait = headers.firstValue("Retry-After")
                .filter(value -> value.matches("[0-9]{1,9}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                .map(seconds -> seconds.compareTo(MAX_WAIT) < 0 ? seconds : MAX_WAIT)
                .orElse(null);
        return new ParleyProblem(status, parse(body), wait, outcomeUnknown);
    }

    /** A problem for an answer that is no refusal, but unusable. */
    static ParleyProblem unusable(int status, String detail) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("detail", detail);
        return new ParleyProblem(status, body, null, false);
    }

    private static ObjectNode parse(byte[] body) {
        try {
            if (Json.MAPPER.readTree(body) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException notParley) {
            // The error page of a gateway is not JSON, so only its status is known.
        }
        return Json.MAPPER.createObjectNode();
    }

    private static String slug(ObjectNode body) {
        String type = text(body, "type");
        return type.substring(type.lastIndexOf('/') + 1);
    }

    private static String text(ObjectNode body, String name) {
        return body.path(name).asString("");
    }

    private static List<FieldError> errors(ObjectNode body) {
        List<FieldError> fields = new ArrayList<>();
        for (JsonNode error : body.path("errors")) {
            fields.add(new FieldError(
                    error.path("field").asString(""), error.path("message").asString("")));
        }
        return List.copyOf(fields);
    }

    public int status() {
        return status;
    }

    /** The problem's stable name, the last part of its {@code type}; empty if the answer is not from Parley. */
    public String slug() {
        return slug;
    }

    public String code() {
        return code;
    }

    public String detail() {
        return detail;
    }

    public List<FieldError> errors() {
        return errors;
    }

    /** True if the same request, with the same key, may succeed later. */
    public boolean retryable() {
        return retryable;
    }

    /** The fields of the body that not every problem has, such as the current seq in a conflict. */
    public ObjectNode members() {
        return members.deepCopy();
    }

    /** The messages that an agent missed, if its message was refused because of them. */
    public Optional<StaleContext> staleContext() {
        return StaleContext.read(slug, members);
    }

    public Optional<String> requestId() {
        return Optional.ofNullable(requestId);
    }

    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** True if this attempt, or an earlier one of the same call, may have taken effect. */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }
}
