package dev.parley.agents.model;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.parley.agents.ModelRequests;
import dev.parley.agents.RunName;
import dev.parley.agents.model.Signals.Finish;
import dev.parley.outbound.HeaderRules;
import dev.parley.outbound.SecretText;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.agent.UpstreamFailure;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the model of one agent. A failed request is retried unless readers may have seen a part of its answer. */
final class ModelClient {
    private static final Logger LOG = LoggerFactory.getLogger(ModelClient.class);
    static final int TRIES = 3;

    private final HttpClient client;
    private final ModelConfig config;
    private final @Nullable String key;
    private final Map<String, String> headers;
    private final FrameStream.Bounds bounds;
    private final Spending spending;
    private final UnaryOperator<String> mask;

    private ModelClient(
            HttpClient client,
            ModelConfig config,
            @Nullable String key,
            Map<String, String> headers,
            FrameStream.Bounds bounds,
            Spending spending,
            UnaryOperator<String> mask) {
        this.client = client;
        this.config = config;
        this.key = key;
        this.headers = headers;
        this.bounds = bounds;
        this.spending = spending;
        this.mask = mask;
    }

    static ModelClient of(
            HttpClient client, ModelConfig config, Secrets secrets, ModelAgent.Bounds bounds, Spending spending)
            throws ModelFailure {
        Map<String, String> headers = new LinkedHashMap<>();
        for (Map.Entry<String, SecretText> header : config.headers().entrySet()) {
            headers.put(header.getKey(), reveal(header.getValue(), secrets));
        }
        return new ModelClient(
                client,
                config,
                config.apiKey() == null ? null : reveal(config.apiKey(), secrets),
                headers,
                new FrameStream.Bounds(
                        Objects.requireNonNullElse(config.silence(), bounds.silence()),
                        bounds.frame(),
                        config.provider().sendsLines()),
                spending,
                text -> masked(text, config, secrets));
    }

    private static String masked(String text, ModelConfig config, Secrets secrets) {
        String masked = config.apiKey() == null ? text : config.apiKey().hide(text, secrets);
        for (SecretText header : config.headers().values()) {
            masked = header.hide(masked, secrets);
        }
        return masked;
    }

    private static String reveal(SecretText text, Secrets secrets) throws ModelFailure {
        String value = text.reveal(secrets)
                .orElseThrow(() -> ModelFailure.misconfigured("a secret of its configuration does not exist"));
        if (!HeaderRules.isValue(value)) {
            throw ModelFailure.misconfigured("a secret of its configuration is not a valid header value");
        }
        return value;
    }

    /**
     * The content of one request.
     *
     * @param reasoning the amount of reasoning for this request
     */
    record Question(
            RunName run,
            ModelRequests.Request request,
            List<ChatMessage> messages,
            Toolbox toolbox,
            Reasoning reasoning) {}

    /** Supplies the events of each attempt. */
    interface AttemptEvents {
        ResponseEvents next();
    }

    ModelResponse ask(Question question, AttemptEvents attemptEvents) throws ModelFailure, InterruptedException {
        TokenCounts tokens = TokenCounts.UNKNOWN;
        boolean answered = false;
        String messageId = null;
        try {
            for (int attempt = 1; ; attempt++) {
                Signals signals = new Signals(config.provider().dialect());
                ResponseEvents events = attemptEvents.next();
                try {
                    ModelResponse response = tryOnce(question, events, signals);
                    answered = true;
                    return response;
                } catch (ModelFailure failure) {
                    Duration wait = RetryDelay.before(attempt + 1, failure.after());
                    if (events.hasBegun() || !failure.mayBeRetried() || attempt == TRIES || wait == null) {
                        recordFailure(question, failure);
                        throw failure;
                    }
                    LOG.info(
                            "Model request {} of run {} failed with {} ({}); retrying in {} ms",
                            question.request().number(),
                            question.run(),
                            failure.code(),
                            failure.status(),
                            wait.toMillis());
                    Thread.sleep(wait);
                } finally {
                    tokens = tokens.plus(signals.tokens());
                    messageId = events.firstMessage();
                }
            }
        } finally {
            if (answered || !tokens.areUnknown()) {
                ModelRequests.Usage usage = spending.usage(config, tokens);
                UsageRecorder.DEFAULT.store(question.run(), question.request(), usage, messageId);
            }
        }
    }

    private static void recordFailure(Question question, ModelFailure failure) {
        UpstreamFailure upstream = failure.upstream();
        if (upstream != null) {
            UninterruptibleCall.finish(() -> question.request().failed(upstream));
        }
    }

    private ModelResponse tryOnce(Question question, ResponseEvents events, Signals signals)
            throws ModelFailure, InterruptedException {
        ModelExchange exchange = new ModelExchange(
                client,
                config.provider(),
                config.url(),
                config.elsewhere(),
                bounds,
                signals,
                body -> UninterruptibleCall.finish(() -> question.request().sent(body)));
        try {
            return tryOnce(question, events, signals, exchange);
        } catch (ModelFailure failure) {
            throw failure.withUpstream(exchange.upstream(failure, mask));
        }
    }

    private ModelResponse tryOnce(Question question, ResponseEvents events, Signals signals, ModelExchange exchange)
            throws ModelFailure, InterruptedException {
        Listener listener = new Listener(
                exchange, events, config.promptedTools() ? new CallScanner() : null, question.toolbox()::nameOf);
        StreamingChatModel model = Models.of(config, question.reasoning(), key, headers, exchange.asBuilder());
        ChatRequest.Builder request = ChatRequest.builder().messages(question.messages());
        if (!config.promptedTools()) {
            request.toolSpecifications(question.toolbox().specifications(config.provider()));
        }
        model.chat(request.build(), listener);
        exchange.requireDone();
        Finish finish = signals.finish();
        if (finish == Finish.FILTERED) {
            throw ModelFailure.filtered();
        }
        if (finish == Finish.BROKEN) {
            throw ModelFailure.protocol("an incomplete tool call");
        }
        return listener.response(finish == Finish.LENGTH);
    }
}
