package dev.parley.auth;

import dev.parley.http.RateKind;

/** The kinds of calls whose rate is limited, each counted by itself. */
public enum Rate implements RateKind {
    USER_MESSAGE,
    AGENT_MESSAGE,
    THREAD_OPERATION,
    POLL,
    RUN_EVENTS,
    UPLOAD,
    INGEST
}
