package dev.parley.platforms.slack;

/** What the words mean with which Slack says that it did not do something. */
enum SlackError {
    /** It is too busy, or we are too fast. */
    LATER,
    /** Something is amiss with the token or its rights; whoever installed the app can mend it. */
    OPERATORS,
    /** Something broke at Slack, maybe after it was done. */
    SLACKS_OWN,
    /** It will say so again, whenever it is asked. */
    FINAL;

    static SlackError of(String error) {
        return switch (error) {
            case "ratelimited", "rate_limited", "message_limit_exceeded", "http_408", "http_425" -> LATER;
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
                    "two_factor_setup_required" -> OPERATORS;
            case "fatal_error", "internal_error", "request_timeout", "service_unavailable" -> SLACKS_OWN;
            // Whoever answers with a status instead of a word stands before Slack's door: a proxy, or a wrong URL.
            default -> error.startsWith("http_") ? OPERATORS : FINAL;
        };
    }

    static String sentence(String error) {
        return "Slack says " + SlackJson.start(error, 100) + ".";
    }
}
