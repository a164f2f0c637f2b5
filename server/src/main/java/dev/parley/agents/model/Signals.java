package dev.parley.agents.model;

import dev.parley.protocol.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The token counts and the end of an answer, read from its frames. The library that reads the text ignores broken
 * frames and answers that end too early; this class refuses them.
 */
final class Signals {
    /** The reason for which a model stopped. */
    enum Finish {
        DONE,
        LENGTH,
        FILTERED,
        BROKEN
    }

    /** The wire format of one provider. */
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
            throw ModelFailure.protocol("a frame that is not JSON");
        }
        if (!read.isObject()) {
            throw ModelFailure.protocol("data that is no part of an answer");
        }
        JsonNode error = read.path("error");
        if (!error.isMissingNode() && !error.isNull()) {
            throw Refusals.inStream(error);
        }
        dialect.read(read, this);
    }

    void count(TokenCounts counts) {
        tokens = tokens.updatedBy(counts);
    }

    void finished(Finish reason) {
        finish = reason;
    }

    void end() {
        over = true;
    }

    TokenCounts tokens() {
        return tokens;
    }

    /** Null until the model has stopped. */
    @Nullable
    Finish finish() {
        return finish;
    }

    /** True after the last frame. */
    boolean isOver() {
        return over;
    }
}
