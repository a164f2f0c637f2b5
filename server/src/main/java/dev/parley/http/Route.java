package dev.parley.http;

import java.util.List;

/**
 * One line of the routing table.
 *
 * @param uploads whether its body is not collected but read by its handler as it comes
 */
record Route<P>(RouteKey key, List<String> parameters, BodyLimit bodyLimit, boolean uploads, Target<P> target) {
    /** Whom a route serves: those the gate admits, or anyone. */
    sealed interface Target<P> {}

    /** @param streams whether it answers by a stream */
    record Guarded<P>(StreamHandler<P> handler, boolean streams) implements Target<P> {}

    /** @param always whether it is answered however much is going on */
    record Open<P>(StreamHandler<Anyone> handler, boolean always) implements Target<P> {}

    /** Whether this is a GET that is answered by a stream: what a browser's {@code EventSource} can open. */
    boolean opensStream() {
        return key.method().equals("GET") && target instanceof Guarded<P> guarded && guarded.streams();
    }

    boolean takesBody() {
        return bodyLimit.takesBody();
    }
}
