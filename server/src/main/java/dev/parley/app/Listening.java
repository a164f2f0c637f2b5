package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.auth.Principal;
import dev.parley.http.BrowserRules;
import dev.parley.http.Gate;
import dev.parley.http.HttpEdge;
import dev.parley.http.HttpSettings;
import dev.parley.http.Routes;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;

/** Opens the server's port with its address and bounds, and tells the operator if the port cannot be opened. */
final class Listening {
    private Listening() {}

    static HttpEdge<Principal> open(
            Config config, Routes<Principal> routes, Gate<Principal> gate, PrometheusMeterRegistry metrics) {
        try {
            return HttpEdge.start(
                    HttpSettings.of(
                            config.listen().host(),
                            config.listen().port(),
                            config.limits().http()),
                    BrowserRules.of(
                            config.listen().corsOrigins(),
                            Optional.ofNullable(config.listen().publicUrl())),
                    routes,
                    gate,
                    metrics);
        } catch (IllegalStateException failed) {
            throw cannotListen(config.listen(), failed);
        }
    }

    /**
     * Checks the port before any other part starts, because a taken port should be reported before a database starts.
     */
    static void requireFreePort(Config.Listen listen) {
        if (listen.port() == 0) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(listen.host(), listen.port()));
        } catch (IOException failed) {
            throw cannotListen(listen, failed);
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
}
