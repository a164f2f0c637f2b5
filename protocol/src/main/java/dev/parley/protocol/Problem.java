package dev.parley.protocol;

/**
 * The catalogue of all ways in which a request can fail. The slug is the stable name (docs/use/problems.md). The code
 * is a coarser name, by which clients of the older APIs tell problems apart.
 */
public enum Problem {
    MALFORMED_REQUEST("malformed-request", 400, "BAD_REQUEST", "The request cannot be read", Kind.CALLER, false),
    INVALID_JSON("invalid-json", 400, "BAD_REQUEST", "The body is not valid JSON", Kind.CALLER, false),
    INVALID_FIELDS("invalid-fields", 400, "BAD_REQUEST", "Fields are missing or wrong", Kind.CALLER, false),
    INVALID_CURSOR("invalid-cursor", 400, "BAD_REQUEST", "The cursor cannot be used", Kind.CALLER, false),
    RUN_INPUT_REFUSED("run-input-refused", 400, "BAD_REQUEST", "The run's input breaks a rule", Kind.CALLER, false),
    UNAUTHENTICATED("unauthenticated", 401, "UNAUTHORIZED", "Who is calling is not known", Kind.CALLER, false),
    FORBIDDEN("forbidden", 403, "FORBIDDEN", "The caller may not do this", Kind.CALLER, false),
    ROUTE_NOT_FOUND("route-not-found", 404, "NOT_FOUND", "There is nothing at this address", Kind.CALLER, false),
    THREAD_NOT_FOUND(
            "thread-not-found", 404, "NOT_FOUND", "There is no such thread for this caller", Kind.CALLER, false),
    MESSAGE_NOT_FOUND(
            "message-not-found", 404, "NOT_FOUND", "There is no such message in this thread", Kind.CALLER, false),
    PARTICIPANT_NOT_FOUND(
            "participant-not-found",
            404,
            "NOT_FOUND",
            "There is no such participant in this thread",
            Kind.CALLER,
            false),
    AGENT_NOT_FOUND("agent-not-found", 404, "NOT_FOUND", "There is no such agent for this caller", Kind.CALLER, false),
    TOKEN_NOT_FOUND(
            "token-not-found", 404, "NOT_FOUND", "There is no such token or key for this caller", Kind.CALLER, false),
    LINK_NOT_FOUND("link-not-found", 404, "NOT_FOUND", "There is no such link for this caller", Kind.CALLER, false),
    TOO_MANY_TOKENS(
            "too-many-tokens",
            409,
            "CONFLICT",
            "The agent has as many live tokens as it may have",
            Kind.CONFLICT,
            false),
    WEBHOOK_NOT_FOUND("webhook-not-found", 404, "NOT_FOUND", "There is no such webhook", Kind.CALLER, false),
    TOO_MANY_WEBHOOKS(
            "too-many-webhooks", 409, "CONFLICT", "The thread has as many webhooks as it may", Kind.LIMIT, false),
    DELIVERY_NOT_FOUND("delivery-not-found", 404, "NOT_FOUND", "There is no such delivery", Kind.CALLER, false),
    ERASURE_NOT_FOUND("erasure-not-found", 404, "NOT_FOUND", "There is no such erasure", Kind.CALLER, false),
    OBJECT_NOT_FOUND(
            "object-not-found", 404, "NOT_FOUND", "There is no such object for this caller", Kind.CALLER, false),
    BUCKET_NOT_FOUND("bucket-not-found", 404, "NOT_FOUND", "There is no such bucket", Kind.CALLER, false),
    OBJECT_EXISTS("object-exists", 409, "CONFLICT", "There is an object of this name", Kind.CONFLICT, false),
    OBJECT_ATTACHED("object-attached", 409, "CONFLICT", "The object hangs on a message", Kind.CONFLICT, false),
    QUOTA_EXCEEDED("quota-exceeded", 413, "PAYLOAD_TOO_LARGE", "The caller keeps as much as it may", Kind.LIMIT, false),
    METHOD_NOT_ALLOWED(
            "method-not-allowed", 405, "METHOD_NOT_ALLOWED", "This address takes other methods", Kind.CALLER, false),
    BODY_TIMEOUT("body-timeout", 408, "REQUEST_TIMEOUT", "The body did not arrive in time", Kind.CALLER, true),
    DOCUMENT_CHANGED("document-changed", 409, "CONFLICT", "The document is another one by now", Kind.CONFLICT, false),
    DOCUMENT_NOT_FOUND("document-not-found", 404, "NOT_FOUND", "Nothing is kept here", Kind.CALLER, false),
    TOO_MANY_AGENTS(
            "too-many-agents", 409, "CONFLICT", "The sessions name as many agents as they may", Kind.LIMIT, false),
    ANSWER_TOO_LARGE("answer-too-large", 413, "PAYLOAD_TOO_LARGE", "The answer would be too large", Kind.LIMIT, false),
    STALE_CONTEXT("stale-context", 409, "CONFLICT", "The thread has moved on since it was read", Kind.CONFLICT, false),
    THREAD_ARCHIVED("thread-archived", 409, "CONFLICT", "The thread is archived", Kind.CONFLICT, false),
    LAST_MANAGER("last-manager", 409, "CONFLICT", "Nobody else manages the thread", Kind.CONFLICT, false),
    RUN_NOT_FOUND("run-not-found", 404, "NOT_FOUND", "There is no such run in this thread", Kind.CALLER, false),
    RUN_ACTIVE("run-active", 409, "CONFLICT", "Another run of this agent is active", Kind.CONFLICT, true),
    NO_DRIVER("no-driver", 409, "CONFLICT", "No driver can answer for this agent", Kind.CONFLICT, false),
    RUN_TAKEN_OVER("run-taken-over", 409, "CONFLICT", "The run is not the caller's any more", Kind.CONFLICT, false),
    EVENT_GAP("event-gap", 409, "CONFLICT", "Events before these are missing", Kind.CONFLICT, false),
    QUEUE_FULL("queue-full", 429, "RATE_LIMITED", "Too many runs wait in this thread", Kind.LIMIT, true),
    RATE_LIMITED("rate-limited", 429, "RATE_LIMITED", "The caller sends too much", Kind.LIMIT, true),
    KEY_REUSED("key-reused", 409, "CONFLICT", "The key was used for another body", Kind.CONFLICT, false),
    PAYLOAD_TOO_LARGE("payload-too-large", 413, "PAYLOAD_TOO_LARGE", "The body is too large", Kind.LIMIT, false),
    UNSUPPORTED_MEDIA_TYPE(
            "unsupported-media-type",
            415,
            "UNSUPPORTED_MEDIA_TYPE",
            "The body's type is not taken here",
            Kind.CALLER,
            false),
    RANGE_NOT_SATISFIABLE(
            "range-not-satisfiable", 416, "RANGE_NOT_SATISFIABLE", "The range lies beyond the end", Kind.CALLER, false),
    HEADERS_TOO_LARGE(
            "headers-too-large", 431, "HEADERS_TOO_LARGE", "The request's headers are too large", Kind.LIMIT, false),
    TOO_MANY_STREAMS("too-many-streams", 429, "RATE_LIMITED", "The caller has too many open streams", Kind.LIMIT, true),
    INTERNAL("internal", 500, "INTERNAL_ERROR", "Something broke on our side", Kind.BUG, true),
    OVERLOADED("overloaded", 503, "UNAVAILABLE", "The server has more work than it can queue", Kind.LIMIT, true),
    DATABASE_UNAVAILABLE(
            "database-unavailable", 503, "UNAVAILABLE", "The database does not answer", Kind.UPSTREAM, true),
    IDENTITY_UNAVAILABLE(
            "identity-unavailable", 503, "UNAVAILABLE", "The identity provider does not answer", Kind.UPSTREAM, true),
    STORAGE_UNAVAILABLE(
            "storage-unavailable", 503, "UNAVAILABLE", "The store of objects does not answer", Kind.UPSTREAM, true),
    SHUTTING_DOWN("shutting-down", 503, "UNAVAILABLE", "The server is stopping", Kind.UPSTREAM, true);

    /** The party or condition that causes a problem. */
    public enum Kind {
        CALLER,
        CONFLICT,
        LIMIT,
        UPSTREAM,
        BUG
    }

    private final String slug;
    private final int status;
    private final String code;
    private final String title;
    private final Kind kind;
    private final boolean retryable;

    Problem(String slug, int status, String code, String title, Kind kind, boolean retryable) {
        this.slug = slug;
        this.status = status;
        this.code = code;
        this.title = title;
        this.kind = kind;
        this.retryable = retryable;
    }

    public String slug() {
        return slug;
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }

    public String title() {
        return title;
    }

    public Kind kind() {
        return kind;
    }

    /** True if the same request, with the same key, may succeed later. */
    public boolean retryable() {
        return retryable;
    }
}
