package dev.parley.auth;

import dev.parley.http.RequestHead;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Signs the person at this machine in without a token, while nothing is configured. Three doors are kept shut: another
 * machine (peer address), a page whose name was rebound to this machine (Host), and a page of another site (Origin,
 * Sec-Fetch-Site). A request that came through a proxy is nobody's.
 */
final class LocalSignIn {
    private static final Set<String> LOCAL_NAMES = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final Set<String> OWN_FETCHES = Set.of("same-origin", "none");

    private final Principal.User user;

    LocalSignIn(UUID id) {
        this.user = new Principal.User(id, "Local user", true);
    }

    Optional<Principal> admit(RequestHead head) {
        boolean admitted = head.fromThisMachine()
                && head.header("Host")
                        .map(host -> isOwn("http://" + host, head.localPort()))
                        .orElse(false)
                && head.header("Origin")
                        .map(origin -> isOwn(origin, head.localPort()))
                        .orElse(true)
                && head.header("Sec-Fetch-Site").map(OWN_FETCHES::contains).orElse(true)
                && !head.cameThroughAProxy();
        return admitted ? Optional.of(user) : Optional.empty();
    }

    private static boolean isOwn(String origin, int port) {
        try {
            URI uri = URI.create(origin);
            String host = uri.getHost();
            int named = uri.getPort() < 0 ? 80 : uri.getPort();
            return "http".equals(uri.getScheme()) && host != null && LOCAL_NAMES.contains(host) && named == port;
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }
}
