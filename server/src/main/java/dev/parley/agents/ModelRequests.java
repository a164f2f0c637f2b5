package dev.parley.agents;

import dev.parley.assembly.ContextMessage;
import dev.parley.assembly.ModelShape;
import dev.parley.protocol.agent.UpstreamFailure;
import dev.parley.protocol.agui.Tool;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an agent that asks models needs of its run: what to show the model each time, and where to leave what was sent and
 * what it cost. Everything shown is kept, so that anybody may look later at what the model saw.
 */
public interface ModelRequests {
    /**
     * Assembles what the next request shows: the conversation up to the start of the run, and what the run has said since.
     *
     * @param soFar the run's own messages, in order; results may also belong to calls that earlier runs made
     */
    Request next(Asking asking, List<ContextMessage> soFar);

    /** Opens the bytes of an image of the conversation; empty if it is gone. */
    Optional<InputStream> open(ContextMessage.Part.Picture picture);

    /** What the run's user has spent since a moment, in one currency, over all agents. */
    BigDecimal spentByUser(Instant since, String currency);

    /**
     * Who asks which model, and how.
     *
     * @param instructions the agent's own system prompt; empty for none
     * @param promptedTools tools that the model must be told of in words; none for one that takes them as such
     * @param nativeTools tools that it is told of beside the conversation
     */
    record Asking(
            String provider,
            String model,
            ModelShape shape,
            String instructions,
            List<Tool> promptedTools,
            List<Tool> nativeTools) {
        public Asking {
            nativeTools = List.copyOf(nativeTools);
            promptedTools = List.copyOf(promptedTools);
        }
    }

    /** One request to a model. Its context is stored before this is handed out. */
    interface Request {
        /** Counts the requests of the run, from 0. */
        int number();

        List<ContextMessage> messages();

        /** The bytes that really went out, which may be several times: the last ones count. */
        void sent(byte[] body);

        /** The provider did not answer it; kept for operators and the agent's owner. */
        void failed(UpstreamFailure failure);

        /**
         * What it cost; once per request.
         *
         * @param messageId the message that it made, under the id that the run streams it by; null if it made none
         */
        void used(Usage usage, @Nullable String messageId);
    }

    /**
     * Tokens of one request, as the provider counted them; those that it does not tell are null.
     *
     * @param inputTokens all of the input, cached or not
     * @param outputTokens all of the output, reasoning among it
     * @param cost by the price list; null if the model has no price
     */
    record Usage(
            @Nullable Integer inputTokens,
            @Nullable Integer outputTokens,
            @Nullable Integer cachedTokens,
            @Nullable Integer reasoningTokens,
            @Nullable BigDecimal cost,
            @Nullable String currency) {}
}
