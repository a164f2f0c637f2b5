package dev.parley.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/** What is known of a request before its body: enough to tell who is calling. */
public final class RequestHead {
    private static final List<String> PROXY_TRACES =
            List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via");

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

    public String method() {
        return request.method().name();
    }

    /** The path as it was sent, without the query. */
    public String path() {
        return target.path();
    }

    /** Whether its route is a GET that is answered by a stream. */
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

    /** The host part of the peer's address; with a proxy in front, that proxy's. */
    public String remoteAddress() {
        SocketAddress remote = request.remoteAddress();
        return remote == null ? "" : remote.hostAddress();
    }

    /** Whether the peer is on this machine; a proxy on this machine is, too. */
    public boolean fromThisMachine() {
        try {
            return InetAddress.getByName(remoteAddress()).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /** Whether a proxy says that it passed the request on: the peer is then not who is asking. */
    public boolean cameThroughAProxy() {
        return PROXY_TRACES.stream().anyMatch(name -> request.getHeader(name) != null);
    }

    public int localPort() {
        SocketAddress local = request.localAddress();
        return local == null ? 0 : local.port();
    }

    public String requestId() {
        return requestId;
    }
}
