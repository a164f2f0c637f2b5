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

    /**
     * @param rate the kind by which each call is counted before the handler
     * @param streams whether it answers by a stream
     */
    record Guarded<P>(RateKind rate, StreamHandler<P> handler, boolean streams) implements Target<P> {
        Guarded {
            handler = rate instanceof Unrated ? handler : counting(rate, handler);
        }

        private static <P> StreamHandler<P> counting(RateKind rate, StreamHandler<P> handler) {
            return call -> {
                call.count(rate);
                return handler.open(call);
            };
        }
    }

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
