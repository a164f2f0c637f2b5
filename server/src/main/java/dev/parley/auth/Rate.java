package dev.parley.auth;

import dev.parley.http.RateKind;

/** The kinds of calls with a rate limit. Each kind is counted separately. */
public enum Rate implements RateKind {
    USER_MESSAGE,
    AGENT_MESSAGE,
    THREAD_OPERATION,
    POLL,
    RUN_EVENTS,
    UPLOAD,
    INGEST
}
