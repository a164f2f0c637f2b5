package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.Problem.Kind;
import dev.parley.protocol.ProblemException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place that turns failures into answers (problem documents, RFC 9457). Unexpected failures and bugs of the
 * server are logged once under the request's id and answered without their text.
 */
final class ProblemRenderer {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemRenderer.class);
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String OUR_FAULT =
            "The server failed to answer. The request id in instance helps to find the cause.";

    private final Map<String, ProblemMembers> shapes;

    /** @param shapes the additional fields of problems, by the prefix of the path */
    ProblemRenderer(Map<String, ProblemMembers> shapes) {
        this.shapes = shapes;
    }

    Answer render(Throwable failure, String requestId, String path) {
        if (failure instanceof ProblemException problem && problem.problem().kind() != Kind.BUG) {
            return answer(problem, requestId, path);
        }
        LOG.error("Request {} failed; it is answered with an internal error.", requestId, failure);
        return answer(new ProblemException(Problem.INTERNAL, OUR_FAULT), requestId, path);
    }

    /** The problem of a request whose head cannot be read. */
    static ProblemException unreadable(Throwable cause) {
        return switch (cause) {
            case TooLongHttpHeaderException tooLong ->
                new ProblemException(Problem.HEADERS_TOO_LARGE, "The request's headers are too large.");
            case TooLongHttpLineException tooLong ->
                new ProblemException(Problem.HEADERS_TOO_LARGE, "The request's address is too long.");
            default ->
                new ProblemException(
                        Problem.MALFORMED_REQUEST, "The request's first line or headers are not proper HTTP.");
        };
    }

    /** The problem of a body that cannot be read to its end. */
    static ProblemException brokenBody(Throwable cause) {
        return cause instanceof TooLongHttpHeaderException
                ? new ProblemException(Problem.HEADERS_TOO_LARGE, "The headers after the body are too large.")
                : new ProblemException(Problem.MALFORMED_REQUEST, "The body's chunks are not proper HTTP.");
    }

    private Answer answer(ProblemException failure, String requestId, String path) {
        Problem problem = failure.problem();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "/problems/" + problem.slug());
        body.put("title", problem.title());
        body.put("status", problem.status());
        body.put("detail", failure.detail());
        body.put("instance", requestId);
        body.put("code", problem.code());
        body.put("message", failure.detail());
        if (!failure.errors().isEmpty()) {
            body.put("errors", failure.errors());
        }
        body.put("retryable", problem.retryable());
        failure.members().forEach(body::putIfAbsent);
        Map<String, String> headers = headers(failure);
        shapes.forEach((prefix, members) -> {
            if (path.startsWith(prefix)) {
                body.putAll(members.of(failure));
                // Clients that expect errors of another shape know no problem documents.
                headers.put(CONTENT_TYPE, "application/json");
            }
        });
        return new Answer(problem.status(), body, headers);
    }

    private static Map<String, String> headers(ProblemException failure) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(CONTENT_TYPE, "application/problem+json");
        int status = failure.problem().status();
        if (status == 429 || status == 503) {
            headers.put("Retry-After", String.valueOf(failure.members().getOrDefault("retry_after", 1)));
        }
        if (status == 401) {
            headers.put("WWW-Authenticate", "Bearer");
        }
        if (status == 416) {
            headers.put("Content-Range", "bytes */" + failure.members().get("length"));
        }
        return headers;
    }
}
