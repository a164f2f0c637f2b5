package dev.parley.bench.rig;

import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A minimal server that sends posted bytes to viewers, with one write per viewer and post. It has no log, no rules and
 * no limits. It has as many event loops as Parley, and passes a post once to each event loop.
 */
public final class BareServer {
    private static final int ACCEPT_BACKLOG = 4096;

    private final List<Loop> loops = new CopyOnWriteArrayList<>();

    /** An event loop and its viewers. Only the thread of the event loop touches the viewers. */
    private record Loop(Context context, Map<String, Set<HttpServerResponse>> viewers) {
        void send(String channel, Buffer bytes) {
            viewers.getOrDefault(channel, Set.of()).forEach(viewer -> viewer.write(bytes));
        }
    }

    private BareServer() {}

    public static void main(String[] args) {
        int count = Runtime.getRuntime().availableProcessors();
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(count));
        BareServer server = new BareServer();
        vertx.deployVerticle(
                        () -> context -> server.listen(vertx, context), new DeploymentOptions().setInstances(count))
                .onFailure(failed -> {
                    failed.printStackTrace();
                    System.exit(1);
                });
    }

    private Future<?> listen(Vertx vertx, Context context) {
        Loop loop = new Loop(context, new HashMap<>());
        return vertx.createHttpServer(new HttpServerOptions()
                        .setAcceptBacklog(ACCEPT_BACKLOG)
                        .setTcpNoDelay(true)
                        .setStrictThreadMode(true))
                .requestHandler(request -> handle(loop, request))
                .listen(SocketAddress.sharedRandomPort(1, "127.0.0.1"))
                .onSuccess(listening -> {
                    loops.add(loop);
                    System.out.println("The bare server is listening on " + listening.actualPort());
                });
    }

    private void handle(Loop loop, HttpServerRequest request) {
        String channel = request.uri();
        if (request.method().equals(HttpMethod.GET)) {
            HttpServerResponse viewer = request.response().setChunked(true);
            viewer.putHeader("Content-Type", "text/event-stream").writeHead();
            loop.viewers()
                    .computeIfAbsent(channel, name -> new LinkedHashSet<>())
                    .add(viewer);
            viewer.closeHandler(gone ->
                    loop.viewers().getOrDefault(channel, new LinkedHashSet<>()).remove(viewer));
            return;
        }
        request.body().onSuccess(bytes -> {
            for (Loop each : loops) {
                each.context().runOnContext(turn -> each.send(channel, bytes));
            }
            request.response().end("ok");
        });
    }
}
