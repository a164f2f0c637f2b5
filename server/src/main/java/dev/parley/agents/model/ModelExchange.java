package dev.parley.agents.model;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import dev.parley.outbound.OutboundUrl;
import dev.parley.outbound.StreamedAnswer;
import dev.parley.protocol.agent.UpstreamFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one request. The exchange replaces the library's HTTP client, and sends and reads on the caller's
 * thread. Therefore an interrupt can end the exchange at any moment, and nothing is read ahead of the run.
 */
final class ModelExchange implements HttpClient {
    /** Limit of the bytes read from an error's body, enough to classify the error. */
    private static final int MAX_ERROR_BODY = 64 * 1024;

    /**
     * Longest wait for the end of the stream after a complete answer. A connection can be reused only after the end of
     * its stream.
     */
    private static final Duration DRAIN_TIMEOUT = Duration.ofMillis(50);

    private final java.net.http.HttpClient client;
    private final Provider provider;
    private final OutboundUrl base;
    private final boolean configured;
    private final FrameStream.Bounds bounds;
    private final Signals signals;
    private final Consumer<byte[]> sent;
    private @Nullable URI requestUri;
    private @Nullable Integer status;
    private @Nullable ModelFailure failure;
    private @Nullable InterruptedException interrupt;

    /**
     * @param base the base address, to which the paths of all requests are appended
     * @param configured true if an operator set the base address
     * @param sent receives the exact bytes of the request
     */
    ModelExchange(
            java.net.http.HttpClient client,
            Provider provider,
            OutboundUrl base,
            boolean configured,
            FrameStream.Bounds bounds,
            Signals signals,
            Consumer<byte[]> sent) {
        this.client = client;
        this.provider = provider;
        this.base = base;
        this.configured = configured;
        this.bounds = bounds;
        this.signals = signals;
        this.sent = sent;
    }

    /** The builder of a client for this exchange alone. */
    HttpClientBuilder asBuilder() {
        return new ExchangeBuilder(this);
    }

    /**
     * The record of a failure for operators: the status, the requested address and the provider's message.
     *
     * @param mask masks the agent's own secrets in a text
     */
    UpstreamFailure upstream(ModelFailure cause, UnaryOperator<String> mask) {
        URI address = Objects.requireNonNullElse(requestUri, base.uri());
        return new UpstreamFailure(
                status,
                ProviderError.masked(
                        address.getScheme() + "://" + address.getRawAuthority() + address.getRawPath(), mask),
                ProviderError.of(cause.answer(), mask));
    }

    /** Throws the failure or interrupt of the exchange, if it has one. */
    void requireDone() throws ModelFailure, InterruptedException {
        if (interrupt != null) {
            throw interrupt;
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Stops the exchange, because the run accepts no more events. */
    void stop(InterruptedException stopped) {
        interrupt = interrupt == null ? stopped : interrupt;
    }

    void fail(ModelFailure cause) {
        failure = failure == null ? cause : failure;
    }

    boolean isStopped() {
        return interrupt != null || failure != null;
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        throw new UnsupportedOperationException("Only streamed answers are requested.");
    }

    @Override
    public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        try {
            stream(request, parser, listener);
        } catch (ModelFailure wrong) {
            fail(wrong);
        } catch (InterruptedException stopped) {
            stop(stopped);
        }
    }

    private void stream(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener)
            throws ModelFailure, InterruptedException {
        try (StreamedAnswer answer = send(request)) {
            status = answer.status();
            if (answer.status() != 200) {
                String after = answer.headers().firstValue("Retry-After").orElse(null);
                throw Refusals.of(
                        answer.status(),
                        errorBody(answer),
                        Refusals.after(after, Clock.systemUTC()),
                        new Refusals.Address(path(URI.create(request.url())), configured));
            }
            requireStream(answer);
            FrameStream frames = new FrameStream(answer.body(), bounds);
            listener.onOpen(SuccessfulHttpResponse.builder()
                    .statusCode(answer.status())
                    .headers(answer.headers().map())
                    .build());
            parser.parse(frames, new FrameWatcher(listener, frames));
            requireDone();
            frames.requireUnbroken();
            if (signals.finish() == null) {
                throw ModelFailure.truncated();
            }
            listener.onClose();
            requireDone();
            readToEnd(answer);
        }
    }

    /**
     * Refuses a web page, a whole JSON document or compressed bytes. The failure allows no retry, because a retry would
     * only cost money again.
     */
    private void requireStream(StreamedAnswer answer) throws ModelFailure {
        String type = answer.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        boolean whole = type.startsWith("text/html") || type.startsWith("application/json") && !bounds.lines();
        boolean packed = answer.headers()
                .firstValue("Content-Encoding")
                .filter(encoding -> !encoding.equalsIgnoreCase("identity"))
                .isPresent();
        if (whole || packed) {
            throw ModelFailure.protocol("an answer that is no stream");
        }
    }

    private StreamedAnswer send(HttpRequest request) throws ModelFailure, InterruptedException {
        URI target = URI.create(request.url());
        requestUri = target;
        if (!OutboundUrl.parse(request.url()).destination().equals(base.destination())) {
            throw new IllegalStateException("The request's URL does not belong to the configured provider.");
        }
        byte[] body = provider.bodyFor(request.body()).getBytes(StandardCharsets.UTF_8);
        java.net.http.HttpRequest.Builder builder = java.net.http.HttpRequest.newBuilder(target)
                .POST(java.net.http.HttpRequest.BodyPublishers.ofByteArray(body));
        request.headers().forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
        sent.accept(body);
        try {
            return StreamedAnswer.to(builder.build(), client, bounds.silence());
        } catch (TimeoutException silent) {
            throw ModelFailure.silent(bounds.silence());
        } catch (IOException unreachable) {
            throw ModelFailure.unreachable();
        }
    }

    /** The part of the path after the base address; it depends on the wire format. */
    private String path(URI target) {
        String path = target.getRawPath();
        String basePath = base.uri().getRawPath();
        return path.startsWith(basePath) ? path.substring(basePath.length()) : path;
    }

    private String errorBody(StreamedAnswer answer) throws InterruptedException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try {
            Optional<List<ByteBuffer>> bytes = answer.body().next(bounds.silence());
            while (bytes.isPresent() && read.size() < MAX_ERROR_BODY) {
                bytes.get().forEach(piece -> read.writeBytes(bytesOf(piece)));
                bytes = answer.body().next(bounds.silence());
            }
        } catch (TimeoutException silent) {
            // The status and the bytes read so far suffice.
        }
        return read.toString(StandardCharsets.UTF_8);
    }

    private static byte[] bytesOf(ByteBuffer piece) {
        byte[] bytes = new byte[piece.remaining()];
        piece.get(bytes);
        return bytes;
    }

    private static void readToEnd(StreamedAnswer answer) throws InterruptedException {
        try {
            long end = System.nanoTime() + DRAIN_TIMEOUT.toNanos();
            while (answer.body().next(DRAIN_TIMEOUT).isPresent() && System.nanoTime() < end) {
                // Bytes after the end of an answer are ignored.
            }
        } catch (TimeoutException open) {
            // The connection is closed instead of reused.
        }
    }

    /** Reads each frame before the library does, and ends the stream after the answer's last frame. */
    private final class FrameWatcher implements ServerSentEventListener {
        private final ServerSentEventListener reader;
        private final FrameStream frames;

        FrameWatcher(ServerSentEventListener reader, FrameStream frames) {
            this.reader = reader;
            this.frames = frames;
        }

        @Override
        public void onEvent(ServerSentEvent event) {
            take(event, () -> reader.onEvent(event));
        }

        @Override
        public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
            take(event, () -> reader.onEvent(event, context));
        }

        private void take(ServerSentEvent event, Runnable passOn) {
            if (isStopped() || signals.isOver()) {
                return;
            }
            try {
                signals.take(event.data());
                passOn.run();
            } catch (ModelFailure wrong) {
                fail(wrong);
            }
            if (isStopped() || signals.isOver()) {
                frames.shut();
            }
        }

        @Override
        public void onError(Throwable broken) {
            if (!isStopped()) {
                fail(ModelFailure.truncated());
            }
        }
    }
}
