package dev.parley.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The part of a request before its body, as the gate and handlers see it. */
public final class RequestHead {
    private static final List<String> PROXY_TRACES =
            List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via");

    private static final Set<String> LOCAL_NAMES = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final Set<String> OWN_FETCHES = Set.of("same-origin", "none");

    private final HttpServerRequest request;
    private final RequestTarget target;
    private final String requestId;
    private final boolean opensStream;

    RequestHead(HttpServerRequest request, RequestTarget target, String requestId, boolean opensStream) {
        this.request = request;
        this.target = target;
        this.requestId = requestId;
        this.opensStream = opensStream;
    }

    String method() {
        return request.method().name();
    }

    /** The path as it was sent, without the query. */
    public String path() {
        return target.path();
    }

    /** True if the request's route is a GET that is answered by a stream. */
    public boolean opensStream() {
        return opensStream;
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeader(name));
    }

    /** The first value of a query parameter, decoded. */
    public Optional<String> query(String name) {
        return target.query(name);
    }

    /** All values of a query parameter, decoded, in the order in which they were sent. */
    List<String> queries(String name) {
        return target.queries(name);
    }

    /** The host part of the peer's address. The peer may be a proxy in front of this server. */
    String remoteAddress() {
        SocketAddress remote = request.remoteAddress();
        return remote == null ? "" : remote.hostAddress();
    }

    /** True if the peer is on this machine. The peer may be a proxy on this machine. */
    boolean fromThisMachine() {
        try {
            return InetAddress.getByName(remoteAddress()).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /** True if a proxy has passed the request on. The peer is then not the caller. */
    boolean cameThroughAProxy() {
        return PROXY_TRACES.stream().anyMatch(name -> request.getHeader(name) != null);
    }

    /**
     * True if a program on this machine calls the server by a name of this machine. Three other ways are refused:
     * another machine (peer address, proxies), a page whose name was rebound to this machine (Host), and a page of
     * another site (Origin, Sec-Fetch-Site).
     */
    public boolean isLocalCall() {
        return fromThisMachine()
                && !cameThroughAProxy()
                && !request.uri().isEmpty()
                && request.uri().charAt(0) == '/'
                && namesThisMachine(request.headers().getAll("Host"))
                && request.headers().getAll("Origin").stream().allMatch(this::isOwn)
                && request.headers().getAll("Sec-Fetch-Site").stream().allMatch(OWN_FETCHES::contains);
    }

    /**
     * True if the Host header names this machine. Old programs may omit the header, and their intended host is then
     * unknown.
     */
    private boolean namesThisMachine(List<String> hosts) {
        return hosts.size() == 1 && isOwn("http://" + hosts.getFirst());
    }

    private boolean isOwn(String origin) {
        try {
            URI uri = URI.create(origin);
            String host = uri.getHost();
            int port = uri.getPort() < 0 ? 80 : uri.getPort();
            return "http".equals(uri.getScheme())
                    && uri.getRawUserInfo() == null
                    && host != null
                    && LOCAL_NAMES.contains(host.toLowerCase(Locale.ROOT))
                    && port == localPort();
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }

    int localPort() {
        SocketAddress local = request.localAddress();
        return local == null ? 0 : local.port();
    }

    String requestId() {
        return requestId;
    }
}
