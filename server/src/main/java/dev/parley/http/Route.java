package dev.parley.http;

import java.util.List;

/**
 * One line of the routing table.
 *
 * @param uploads true if the handler reads the body while it arrives, instead of a collected body
 */
record Route<P>(RouteKey key, List<String> parameters, BodyLimit bodyLimit, boolean uploads, Target<P> target) {
    /** The callers that a route serves: the callers that the gate admits, or all callers. */
    sealed interface Target<P> {}

    /**
     * @param rate the kind under which each call is counted before the handler
     * @param streams true if a stream is the answer
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

    /** @param always true if the route is answered under any load */
    record Open<P>(StreamHandler<Anyone> handler, boolean always) implements Target<P> {}

    /** True if this is a GET that is answered by a stream, which a browser's {@code EventSource} can open. */
    boolean opensStream() {
        return key.method().equals("GET") && target instanceof Guarded<P> guarded && guarded.streams();
    }

    boolean takesBody() {
        return bodyLimit.takesBody();
    }
}
