package dev.parley.outbound;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Calls a URL at an address that the caller has resolved and checked. The name is used for the certificate and the Host
 * header only. The client follows no redirects, and reuses connections for a short while. The JDK's client resolves
 * names itself, so it cannot be used.
 */
final class PinnedClient implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration CLOSE = Duration.ofSeconds(5);
    /**
     * Higher than the number of all concurrent deliveries and downloads. These have limits of their own, and need not
     * wait here.
     */
    private static final int CONNECTIONS_PER_ADDRESS = 256;

    private static final int MAX_WAITING = 1_024;

    private final Vertx vertx;
    private final HttpClient client;

    PinnedClient() {
        vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        client = vertx.httpClientBuilder()
                .with(new HttpClientOptions()
                        .setConnectTimeout((int) CONNECT.toMillis())
                        .setKeepAliveTimeout(15)
                        .setDecompressionSupported(false))
                .with(new PoolOptions().setHttp1MaxSize(CONNECTIONS_PER_ADDRESS).setMaxWaitQueueSize(MAX_WAITING))
                .build();
    }

    /**
     * Makes a call and waits for the whole answer.
     *
     * @param address the address to connect to, independent of the current resolution of the URL's host
     */
    Calls.Answer call(Calls.Request request, InetAddress address) throws Calls.NoAnswer, InterruptedException {
        Exchange exchange = new Exchange(request, address);
        exchange.begin();
        try {
            return exchange.answer.get(request.limit().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException broken) {
            throw new Calls.NoAnswer(sentence(broken), exchange.sent.get());
        } catch (TimeoutException silent) {
            throw new Calls.NoAnswer(
                    "There was no answer within " + request.limit().toSeconds() + " s.", exchange.sent.get());
        } finally {
            exchange.end();
        }
    }

    private static String sentence(ExecutionException broken) {
        return broken.getCause() instanceof TooLarge ? "The answer was too large." : "The connection failed.";
    }

    private static final class TooLarge extends RuntimeException {
        TooLarge() {
            super("too large");
        }
    }

    /** One request on its way. */
    private final class Exchange {
        private final Calls.Request request;
        private final InetAddress address;
        private final AtomicBoolean sent = new AtomicBoolean();
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AtomicReference<HttpClientRequest> open = new AtomicReference<>();
        private final CompletableFuture<Calls.Answer> answer = new CompletableFuture<>();

        Exchange(Calls.Request request, InetAddress address) {
            this.request = request;
            this.address = address;
        }

        void begin() {
            client.request(options()).onComplete(this::send, answer::completeExceptionally);
        }

        private RequestOptions options() {
            URI uri = request.url().uri();
            boolean secure = "https".equalsIgnoreCase(uri.getScheme());
            int port = uri.getPort() > 0 ? uri.getPort() : secure ? 443 : 80;
            String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
            RequestOptions options = new RequestOptions()
                    .setMethod(HttpMethod.valueOf(request.method()))
                    .setServer(SocketAddress.inetSocketAddress(port, address.getHostAddress()))
                    .setHost(uri.getHost())
                    .setPort(port)
                    .setSsl(secure)
                    .setFollowRedirects(false)
                    .setURI(uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
            request.headers().forEach(options::putHeader);
            return options;
        }

        private void send(HttpClientRequest opened) {
            open.set(opened);
            if (ended.get()) {
                opened.reset();
                return;
            }
            // From now on the receiver may have got the request.
            sent.set(true);
            opened.send(Buffer.buffer(request.body())).onComplete(this::read, answer::completeExceptionally);
        }

        private void read(HttpClientResponse response) {
            Buffer body = Buffer.buffer();
            response.exceptionHandler(answer::completeExceptionally);
            response.handler(piece -> {
                if (body.length() + piece.length() > request.maxBytes()) {
                    answer.completeExceptionally(new TooLarge());
                    response.request().reset();
                } else {
                    body.appendBuffer(piece);
                }
            });
            response.endHandler(end -> {
                Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
                response.headers().forEach(header -> headers.putIfAbsent(header.getKey(), header.getValue()));
                answer.complete(new Calls.Answer(response.statusCode(), headers, body.getBytes()));
            });
        }

        /** Ends the exchange, and resets its connection if the answer is not complete. */
        void end() {
            ended.set(true);
            HttpClientRequest opened = open.get();
            if (opened != null && !answer.isDone()) {
                opened.reset();
            }
        }
    }

    @Override
    public void close() {
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException stuck) {
            // Ignored: the threads are daemons of an ending process.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
