package dev.parley.platforms.slack;

/** The kinds of Slack's error codes. */
enum SlackError {
    /** Slack is busy, or a rate limit is reached. */
    TEMPORARY,
    /** The token or its rights are insufficient; an operator can repair them. */
    CONFIGURATION,
    /** Slack failed, maybe after it had carried out the call. */
    SERVER,
    /** A retry fails in the same way. */
    PERMANENT;

    static SlackError of(String error) {
        return switch (error) {
            case "ratelimited", "rate_limited", "message_limit_exceeded", "http_408", "http_425" -> TEMPORARY;
            case "invalid_auth",
                    "not_authed",
                    "account_inactive",
                    "token_revoked",
                    "token_expired",
                    "missing_scope",
                    "no_permission",
                    "not_allowed_token_type",
                    "org_login_required",
                    "team_access_not_granted",
                    "team_added_to_org",
                    "ekm_access_denied",
                    "access_denied",
                    "accesslimited",
                    "two_factor_setup_required" -> CONFIGURATION;
            case "fatal_error", "internal_error", "request_timeout", "service_unavailable" -> SERVER;
            // A status without an error code comes from a proxy or a wrong URL.
            default -> error.startsWith("http_") ? CONFIGURATION : PERMANENT;
        };
    }

    static String sentence(String error) {
        return "Slack says " + SlackJson.start(error, 100) + ".";
    }
}
