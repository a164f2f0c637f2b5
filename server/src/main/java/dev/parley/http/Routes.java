package dev.parley.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The routing table, filled by the faces before the edge starts. A segment of a template is a literal, {@code {name}}
 * for one segment, or, at the end, {@code {name...}} for one or more segments. A route inside the gate names the kind
 * under which its calls are counted.
 */
public final class Routes<P> {
    private final List<Route<P>> routes = new ArrayList<>();
    private final Set<RouteKey> keys = new HashSet<>();
    private final Map<String, ProblemMembers> shapes = new HashMap<>();

    public Routes<P> get(String path, RateKind rate, Handler<P> handler) {
        return add("GET", path, BodyLimit.NO_BODY, new Route.Guarded<>(rate, handler::handle, false));
    }

    public Routes<P> post(String path, long bodyLimit, RateKind rate, Handler<P> handler) {
        return add("POST", path, BodyLimit.of(bodyLimit), new Route.Guarded<>(rate, handler::handle, false));
    }

    /** A POST with its own refusal of a body that is too large. */
    public Routes<P> post(String path, BodyLimit bodyLimit, RateKind rate, Handler<P> handler) {
        return add("POST", path, bodyLimit, new Route.Guarded<>(rate, handler::handle, false));
    }

    public Routes<P> put(String path, long bodyLimit, RateKind rate, Handler<P> handler) {
        return add("PUT", path, BodyLimit.of(bodyLimit), new Route.Guarded<>(rate, handler::handle, false));
    }

    public Routes<P> patch(String path, long bodyLimit, RateKind rate, Handler<P> handler) {
        return add("PATCH", path, BodyLimit.of(bodyLimit), new Route.Guarded<>(rate, handler::handle, false));
    }

    public Routes<P> delete(String path, RateKind rate, Handler<P> handler) {
        return add("DELETE", path, BodyLimit.NO_BODY, new Route.Guarded<>(rate, handler::handle, false));
    }

    public Routes<P> delete(String path, long bodyLimit, RateKind rate, Handler<P> handler) {
        return add("DELETE", path, BodyLimit.of(bodyLimit), new Route.Guarded<>(rate, handler::handle, false));
    }

    /** A GET that is answered by a stream. */
    public Routes<P> stream(String path, RateKind rate, StreamHandler<P> handler) {
        return add("GET", path, BodyLimit.NO_BODY, new Route.Guarded<>(rate, handler, true));
    }

    /** A POST that is answered by a stream. */
    public Routes<P> streamPost(String path, long bodyLimit, RateKind rate, StreamHandler<P> handler) {
        return add("POST", path, BodyLimit.of(bodyLimit), new Route.Guarded<>(rate, handler, true));
    }

    /** A POST that is answered by a stream, with its own refusal of a body that is too large. */
    public Routes<P> streamPost(String path, BodyLimit bodyLimit, RateKind rate, StreamHandler<P> handler) {
        return add("POST", path, bodyLimit, new Route.Guarded<>(rate, handler, true));
    }

    /** A GET outside the gate. */
    public Routes<P> openGet(String path, Handler<Anyone> handler) {
        return add("GET", path, BodyLimit.NO_BODY, new Route.Open<>(handler::handle, false));
    }

    /** A GET outside the gate that is answered even while other requests are refused; its handler must not block. */
    public Routes<P> alwaysGet(String path, Handler<Anyone> handler) {
        return add("GET", path, BodyLimit.NO_BODY, new Route.Open<>(handler::handle, true));
    }

    /** A POST outside the gate, for callers who authenticate by the body or its headers, such as a signature. */
    public Routes<P> openPost(String path, long bodyLimit, Handler<Anyone> handler) {
        return add("POST", path, BodyLimit.of(bodyLimit), new Route.Open<>(handler::handle, false));
    }

    /** A route whose handler reads the body itself, while it arrives. See {@link Call#stream}. */
    public Routes<P> upload(String method, String path, BodyLimit limit, RateKind rate, Handler<P> handler) {
        return add(method, path, limit, true, new Route.Guarded<>(rate, handler::handle, false));
    }

    /** An {@link #upload} route outside the gate, for callers who authenticate by the address. */
    public Routes<P> openUpload(String method, String path, BodyLimit limit, Handler<Anyone> handler) {
        return add(method, path, limit, true, new Route.Open<>(handler::handle, false));
    }

    /** A GET that may be answered by a {@link Download}. */
    public Routes<P> download(String path, RateKind rate, StreamHandler<P> handler) {
        return add("GET", path, BodyLimit.NO_BODY, new Route.Guarded<>(rate, handler, false));
    }

    /** A {@link #download} route outside the gate. */
    public Routes<P> openDownload(String path, StreamHandler<Anyone> handler) {
        return add("GET", path, BodyLimit.NO_BODY, new Route.Open<>(handler, false));
    }

    /**
     * Adds fields to every failure under a path prefix and renders it as plain JSON, for clients that expect errors of
     * another shape.
     */
    public Routes<P> problemsUnder(String prefix, ProblemMembers members) {
        shapes.put(prefix, members);
        return this;
    }

    Map<String, ProblemMembers> problemShapes() {
        return Map.copyOf(shapes);
    }

    /** True if a GET of this path is answered by a stream. */
    public boolean opensStream(String path) {
        return routes.stream()
                .anyMatch(route ->
                        route.opensStream() && PathTemplate.matches(route.key().path(), path));
    }

    public List<RouteKey> list() {
        return routes.stream().map(Route::key).toList();
    }

    /** The kinds under which the calls of the routes inside the gate are counted. */
    public Map<RouteKey, RateKind> rates() {
        Map<RouteKey, RateKind> rates = new LinkedHashMap<>();
        for (Route<P> route : routes) {
            if (route.target() instanceof Route.Guarded<P> guarded) {
                rates.put(route.key(), guarded.rate());
            }
        }
        return rates;
    }

    List<Route<P>> all() {
        return List.copyOf(routes);
    }

    private Routes<P> add(String method, String path, BodyLimit bodyLimit, Route.Target<P> target) {
        return add(method, path, bodyLimit, false, target);
    }

    private Routes<P> add(String method, String path, BodyLimit bodyLimit, boolean uploads, Route.Target<P> target) {
        RouteKey key = new RouteKey(method, path);
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("The path of " + key + " does not start with a slash.");
        }
        if (!keys.add(key)) {
            throw new IllegalArgumentException(key + " is in the table already.");
        }
        routes.add(new Route<>(key, PathTemplate.parameters(path), bodyLimit, uploads, target));
        return this;
    }
}
