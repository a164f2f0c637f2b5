package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.auth.Principal;
import dev.parley.http.BrowserRules;
import dev.parley.http.Gate;
import dev.parley.http.HttpEdge;
import dev.parley.http.HttpSettings;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;

/** How the server comes to listen: on which port, with which bounds, and what is said if it cannot. */
final class Listening {
    private Listening() {}

    static HttpEdge<Principal> open(
            Config config, Routes<Principal> routes, Gate<Principal> gate, PrometheusMeterRegistry metrics) {
        try {
            return HttpEdge.start(
                    settings(config.listen(), config.limits()),
                    BrowserRules.of(
                            config.corsOrigins(),
                            Optional.ofNullable(config.listen().publicUrl())),
                    routes,
                    gate,
                    metrics);
        } catch (IllegalStateException taken) {
            throw cannotListen(config.listen(), taken);
        }
    }

    /** Asked before anything is started: a taken port should not cost the start of a database to find out. */
    static void requireFreePort(Config.Listen listen) {
        if (listen.port() == 0) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(listen.host(), listen.port()));
        } catch (IOException taken) {
            throw cannotListen(listen, taken);
        }
    }

    private static CannotListen cannotListen(Config.Listen listen, Exception why) {
        return new CannotListen(
                "Cannot listen on " + listen.host() + ":"
                        + listen.port() + " (" + reason(why)
                        + "); choose another port with --port, or 0 for any free one.",
                why);
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    private static HttpSettings settings(Config.Listen listen, Limits limits) {
        HttpSettings standard = HttpSettings.standard(listen.host(), listen.port());
        return new HttpSettings(
                standard.host(),
                standard.port(),
                standard.eventLoops(),
                limits.http().inFlight(),
                limits.http().waiting(),
                Runtime.getRuntime().maxMemory() / 100 * limits.http().memoryPercent(),
                limits.http().memoryTimeout(),
                (int) limits.http().headerBytes(),
                limits.http().headTimeout(),
                limits.http().bodyTimeout(),
                limits.http().uploadTime(),
                standard.idleTimeout(),
                (int) limits.http().drainBytes(),
                limits.http().drainTime(),
                limits.http().heartbeat(),
                limits.http().slowReader(),
                limits.http().parcelTime(),
                standard.sseQueueBytes(),
                standard.sendBufferBytes());
    }
}
