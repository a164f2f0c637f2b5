package dev.parley.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running edge: one HTTP server per event loop, all on the same port, and the virtual threads of the handlers. The
 * edge owns all of them from start to stop.
 */
public final class HttpEdge<P> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEdge.class);
    private static final int ACCEPT_BACKLOG = 4096;
    private static final int MAX_CHUNK = 64 * 1024;
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(1);

    /** One event loop's share of the edge. */
    private record Loop(Context context, LoopWatch watch, HttpServer server) {}

    private final HttpSettings settings;
    private final EdgeParts<P> parts;
    private final EdgeMeters meters;
    private final ExecutorService workers;
    private final Vertx vertx;
    private final Http1ServerConfig decoding;
    private final List<Loop> loops = new CopyOnWriteArrayList<>();

    private HttpEdge(
            HttpSettings settings, BrowserRules browsers, Routes<P> routes, Gate<P> gate, MeterRegistry registry) {
        this.settings = settings;
        long ofAnyone = settings.requestMemory() / 4;
        MemoryBudget memory = new MemoryBudget(
                settings.requestMemory() - ofAnyone, settings.limits().memoryTimeout());
        MemoryBudget memoryOfAnyone =
                new MemoryBudget(ofAnyone, settings.limits().memoryTimeout());
        InFlight inFlight =
                new InFlight(settings.limits().inFlight(), settings.limits().waiting());
        meters = new EdgeMeters(registry, inFlight, memory, memoryOfAnyone);
        workers = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("http").factory());
        parts = new EdgeParts<>(
                settings,
                browsers,
                new RouteTree<>(routes.all(), meters::request),
                gate,
                new ProblemRenderer(routes.problemShapes()),
                inFlight,
                memory,
                memoryOfAnyone,
                new JsonWork(),
                workers,
                new AtomicBoolean());
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(settings.eventLoops())
                // No files are served from the class path, so no cache folder is needed.
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        int headerBytes = (int) settings.limits().headerBytes();
        decoding = new Http1ServerConfig()
                .setMaxInitialLineLength(headerBytes)
                .setMaxHeaderSize(headerBytes)
                .setMaxChunkSize(MAX_CHUNK);
    }

    /** Returns as soon as the edge listens. */
    public static <P> HttpEdge<P> start(
            HttpSettings settings, BrowserRules browsers, Routes<P> routes, Gate<P> gate, MeterRegistry registry) {
        HttpEdge<P> edge = new HttpEdge<>(settings, browsers, routes, gate, registry);
        try {
            edge.await(
                    edge.vertx.deployVerticle(
                            () -> edge::listen, new DeploymentOptions().setInstances(settings.eventLoops())),
                    START_TIMEOUT);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            edge.release();
            throw new IllegalStateException(
                    "The server cannot listen on " + settings.host() + ":" + settings.port() + ".", e);
        }
        return edge;
    }

    public int port() {
        return loops.getFirst().server().actualPort();
    }

    /** Refuses new requests, lets those in flight finish within the time given, ends the streams, closes the rest. */
    public void stop(Duration atMost) {
        if (!parts.stopFlag().compareAndSet(false, true)) {
            return;
        }
        try {
            if (!parts.inFlight().awaitEmpty(atMost)) {
                LOG.warn(
                        "{} requests did not finish before the stop; they are interrupted.",
                        parts.inFlight().working() + parts.inFlight().waiting());
                workers.shutdownNow();
                parts.inFlight().awaitEmpty(FLUSH_TIMEOUT);
            }
            endStreams();
            await(Future.join(loops.stream().map(this::shutdown).toList()), FLUSH_TIMEOUT.multipliedBy(2));
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("HTTP server did not close cleanly; its connections are cut.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            release();
        }
    }

    private Future<?> listen(Context context) {
        LoopWatch watch = new LoopWatch(settings, meters);
        HttpServer server = vertx.createHttpServer(options())
                .connectionHandler(connection -> ConnectionGuard.install(connection, watch, settings, decoding))
                .requestHandler(request -> new Exchange<>(parts, request).begin())
                .invalidRequestHandler(request -> new Exchange<>(parts, request)
                        .refuseUnreadable(request.decoderResult().cause()))
                .exceptionHandler(failure -> LOG.debug("Connection failed; its client must reconnect.", failure));
        vertx.setPeriodic(settings.tick().toMillis(), timer -> watch.tick());
        return server.listen(address()).onSuccess(listening -> loops.add(new Loop(context, watch, listening)));
    }

    /** The address on which all loops listen. With port 0, all loops must share one free port. */
    private SocketAddress address() {
        return settings.port() == 0
                ? SocketAddress.sharedRandomPort(1, settings.host())
                : SocketAddress.inetSocketAddress(settings.port(), settings.host());
    }

    private HttpServerOptions options() {
        HttpServerOptions options = new HttpServerOptions()
                .setAcceptBacklog(ACCEPT_BACKLOG)
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true)
                .setHttp2ClearTextEnabled(false)
                .setCompressionSupported(false)
                .setDecompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                // All writes happen on the loop, so no queue is needed before the channel.
                .setStrictThreadMode(true);
        if (settings.sendBufferBytes() > 0) {
            options.setSendBufferSize(settings.sendBufferBytes());
        }
        return options;
    }

    /** Ends all streams. Slow readers have a moment to take the last frames; then the rest is closed all the same. */
    private void endStreams() throws InterruptedException {
        try {
            await(Future.join(loops.stream().map(this::endStreams).toList()), FLUSH_TIMEOUT);
        } catch (ExecutionException | TimeoutException behind) {
            LOG.debug("Some streams ended before their readers had taken everything: {}", behind.toString());
        }
    }

    private Future<?> endStreams(Loop loop) {
        Promise<Object> done = Promise.promise();
        loop.context()
                .runOnContext(ignored -> loop.watch().closeStreams().mapEmpty().onComplete(done));
        return done.future();
    }

    private Future<?> shutdown(Loop loop) {
        return loop.server().shutdown(FLUSH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void release() {
        workers.shutdownNow();
        parts.json().close();
        try {
            await(vertx.close(), START_TIMEOUT);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("Event loops did not end cleanly.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void await(Future<?> future, Duration atMost)
            throws ExecutionException, TimeoutException, InterruptedException {
        future.toCompletionStage().toCompletableFuture().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }
}
