package dev.parley.agents.model;

import dev.parley.protocol.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * What a provider tells beside its words, read from the frames themselves: tokens, why it stopped, and that it did. The
 * library that reads the words passes over broken frames and answers that end too early; this does not.
 */
final class Signals {
    /** Why a model stopped. */
    enum Finish {
        DONE,
        LENGTH,
        FILTERED,
        BROKEN
    }

    /** How one provider writes it. */
    interface Dialect {
        void read(JsonNode frame, Signals signals) throws ModelFailure;
    }

    private final Dialect dialect;
    private TokenCounts tokens = TokenCounts.UNKNOWN;
    private @Nullable Finish finish;
    private boolean over;

    Signals(Dialect dialect) {
        this.dialect = dialect;
    }

    void take(String frame) throws ModelFailure {
        if (frame.strip().equals("[DONE]")) {
            over = true;
            return;
        }
        if (frame.isBlank()) {
            return;
        }
        JsonNode read;
        try {
            read = Json.MAPPER.readTree(frame);
        } catch (JacksonException broken) {
            throw ModelFailure.protocol("something that is not JSON");
        }
        if (!read.isObject()) {
            throw ModelFailure.protocol("something that is no part of an answer");
        }
        JsonNode error = read.path("error");
        if (!error.isMissingNode() && !error.isNull()) {
            throw Refusals.inStream(error);
        }
        dialect.read(read, this);
    }

    void count(TokenCounts told) {
        tokens = tokens.updatedBy(told);
    }

    void finished(Finish why) {
        finish = why;
    }

    void isOverNow() {
        over = true;
    }

    TokenCounts tokens() {
        return tokens;
    }

    /** Null as long as it goes on. */
    @Nullable
    Finish finish() {
        return finish;
    }

    /** Whether nothing more comes. */
    boolean isOver() {
        return over;
    }
}
