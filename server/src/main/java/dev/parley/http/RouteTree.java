package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.Split;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the endpoint of a method and a path. Literals take precedence over parameters, and parameters over rests. A
 * path has only the methods of the first template that it matches (OpenAPI 3.1, Paths Object). Empty segments match
 * nothing. A HEAD is served by the GET of its path.
 */
final class RouteTree<P> {
    /** The result of a look-up. */
    sealed interface Match<P> {}

    record MatchedRoute<P>(Endpoint<P> endpoint, List<String> values) implements Match<P> {}

    record OtherMethods<P>(String allow) implements Match<P> {}

    record Nothing<P>() implements Match<P> {}

    /** A route and the meter of its requests. */
    record Endpoint<P>(Route<P> route, RequestMeter meter) {}

    private static final class Node<P> {
        final Map<String, Node<P>> literals = new HashMap<>();
        final Map<String, Endpoint<P>> methods = new HashMap<>();

        @Nullable
        Node<P> parameter;

        @Nullable
        Node<P> rest;
    }

    /** A segment of this name authenticates the caller; it must not be logged. */
    private static final String SECRET = "{secret}";
    /** Characters of the shortest secret that a path may hold. */
    private static final int MIN_SECRET_LENGTH = 16;

    private static final String HIDDEN = "***";

    private final Node<P> root = new Node<>();
    private final List<String> beforeSecrets = new ArrayList<>();
    private final Nothing<P> nothing = new Nothing<>();

    RouteTree(List<Route<P>> routes, Function<RouteKey, RequestMeter> meters) {
        for (Route<P> route : routes) {
            Node<P> node = root;
            for (String segment : PathTemplate.segments(route.key().path())) {
                node = child(node, segment);
            }
            int secret = route.key().path().indexOf(SECRET);
            if (secret > 0) {
                beforeSecrets.add(route.key().path().substring(0, secret));
            }
            Endpoint<P> endpoint = new Endpoint<>(route, meters.apply(route.key()));
            if (node.methods.putIfAbsent(route.key().method(), endpoint) != null) {
                throw new IllegalArgumentException(route.key() + " matches the same paths as another route.");
            }
        }
    }

    /**
     * A path that matches no route, in a form for the log. It may be a misspelt path with a secret (another case, two
     * slashes, an encoded slash, the prefix of a proxy), so every segment long enough for a secret is hidden.
     */
    static String maskUnmatched(String path) {
        return Split.at('/', path).stream()
                .map(segment -> segment.length() < MIN_SECRET_LENGTH ? segment : HIDDEN)
                .collect(Collectors.joining("/"));
    }

    /** A path that matches a route, in a form for the log. */
    String maskSecret(String path) {
        for (String before : beforeSecrets) {
            if (path.startsWith(before)) {
                return before + SECRET;
            }
        }
        return path;
    }

    /** @throws ProblemException when the path is not properly percent-encoded, or a rest holds an encoded slash */
    Match<P> find(String method, String path) {
        String[] segments = split(path);
        if (segments == null) {
            return nothing;
        }
        Deque<String> values = new ArrayDeque<>(4);
        Node<P> node = search(root, segments, 0, values);
        if (node == null) {
            return nothing;
        }
        Endpoint<P> endpoint = node.methods.get(method.equals("HEAD") ? "GET" : method);
        return endpoint != null ? new MatchedRoute<>(endpoint, List.copyOf(values)) : new OtherMethods<>(allow(node));
    }

    private static String allow(Node<?> node) {
        TreeSet<String> allowed = new TreeSet<>(node.methods.keySet());
        if (allowed.contains("GET")) {
            allowed.add("HEAD");
        }
        return String.join(", ", allowed);
    }

    private static <P> Node<P> child(Node<P> node, String segment) {
        if (PathTemplate.isRest(segment)) {
            return node.rest == null ? node.rest = new Node<>() : node.rest;
        }
        if (PathTemplate.isParameter(segment)) {
            return node.parameter == null ? node.parameter = new Node<>() : node.parameter;
        }
        return node.literals.computeIfAbsent(segment, ignored -> new Node<>());
    }

    private @Nullable Node<P> search(Node<P> node, String[] segments, int at, Deque<String> values) {
        if (at == segments.length) {
            return node.methods.isEmpty() ? null : node;
        }
        Node<P> literal = node.literals.get(segments[at]);
        if (literal != null) {
            Node<P> found = search(literal, segments, at + 1, values);
            if (found != null) {
                return found;
            }
        }
        if (node.parameter != null) {
            values.addLast(segments[at]);
            Node<P> found = search(node.parameter, segments, at + 1, values);
            if (found != null) {
                return found;
            }
            values.removeLast();
        }
        if (node.rest != null) {
            values.addLast(joined(List.of(segments).subList(at, segments.length)));
        }
        return node.rest;
    }

    /**
     * Joins the segments of a rest. A decoded slash would turn one name into two, and so would a backslash on some file
     * systems, so both are refused.
     */
    private static String joined(List<String> segments) {
        for (String segment : segments) {
            if (segment.indexOf('/') >= 0 || segment.indexOf('\\') >= 0) {
                throw new ProblemException(Problem.MALFORMED_REQUEST, "The path holds an encoded slash.");
            }
        }
        return String.join("/", segments);
    }

    /** The decoded segments, or null if a segment is empty. */
    private static String @Nullable [] split(String path) {
        if (path.equals("/")) {
            return new String[0];
        }
        List<String> segments = new ArrayList<>(8);
        int from = 1;
        while (from <= path.length()) {
            int slash = path.indexOf('/', from);
            int to = slash < 0 ? path.length() : slash;
            if (to == from) {
                return null;
            }
            segments.add(PercentEncoding.decodeSegment(path.substring(from, to)));
            from = to + 1;
            if (slash == path.length() - 1) {
                return null;
            }
        }
        return segments.toArray(String[]::new);
    }
}
