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
 * The model requests of one run: assembles the context of each request, and stores the context, the bytes sent and the
 * cost. Every context is kept, so that readers can see later what the model was shown.
 */
public interface ModelRequests {
    /**
     * Assembles the context of the next request: the conversation before the run, and the run's own messages.
     *
     * @param soFar the run's own messages, in order; results may also belong to calls of earlier runs
     */
    Request next(Asking asking, List<ContextMessage> soFar);

    /** Opens the bytes of an image in the conversation; empty if the image no longer exists. */
    Optional<InputStream> open(ContextMessage.Part.Picture picture);

    /** The amount that the run's user has spent on all agents since a moment, in one currency. */
    BigDecimal spentByUser(Instant since, String currency);

    /**
     * The model of a request, and the agent's instructions and tools for it.
     *
     * @param instructions the agent's own system prompt; empty for none
     * @param promptedTools tools described in the prompt, for models without tool calls
     * @param nativeTools tools sent beside the conversation
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

    /** One request to a model. Its context is stored before the request is handed out. */
    interface Request {
        /** Number of the request in its run, from 0. */
        int number();

        List<ContextMessage> messages();

        /** Records the bytes that were sent. After a retry, the bytes of the last attempt count. */
        void sent(byte[] body);

        /** Records the provider's failure in this request. Only operators and the agent's owner see the failure. */
        void failed(UpstreamFailure failure);

        /**
         * Records the usage. This method is called once per request.
         *
         * @param messageId the id of the first message that the run streams for the request; null if there is no
         *     message
         */
        void used(Usage usage, @Nullable String messageId);
    }

    /**
     * Tokens of one request as the provider counted them; null for counts that it omits.
     *
     * @param inputTokens all input tokens, cached or not
     * @param outputTokens all output tokens, with reasoning
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
