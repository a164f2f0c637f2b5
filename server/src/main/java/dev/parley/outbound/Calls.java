package dev.parley.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes short outgoing calls, with limits for time and bytes. A call connects only to an address that {@link Outbound}
 * allows, and to exactly the address that was checked.
 */
public final class Calls implements AutoCloseable {
    private static final Duration DEFAULT_TIME = Duration.ofSeconds(15);
    private static final long DEFAULT_BYTES = 1024 * 1024;

    private final Outbound outbound;
    private final PinnedClient client = new PinnedClient();

    public Calls(Outbound outbound) {
        this.outbound = outbound;
    }

    /**
     * A request.
     *
     * @param configured destinations of an operator's configuration, which may have any address
     * @param limit limit for the time of the whole call
     * @param maxBytes limit for the answer's body
     */
    public record Request(
            String method,
            OutboundUrl url,
            Set<Destination> configured,
            Map<String, String> headers,
            byte[] body,
            Duration limit,
            long maxBytes) {
        public static Request get(OutboundUrl url) {
            return new Request("GET", url, Set.of(), Map.of(), new byte[0], DEFAULT_TIME, DEFAULT_BYTES);
        }

        public static Request post(OutboundUrl url, String contentType, byte[] body) {
            return new Request(
                    "POST", url, Set.of(), Map.of("Content-Type", contentType), body, DEFAULT_TIME, DEFAULT_BYTES);
        }

        /** The request with another method, such as PATCH or DELETE. */
        public Request by(String other) {
            return new Request(other, url, configured, headers, body, limit, maxBytes);
        }

        /** The same request, marked as a request to a URL from an operator's configuration. */
        public Request trusted() {
            return new Request(method, url, Set.of(url.destination()), headers, body, limit, maxBytes);
        }

        public Request with(String header, String value) {
            Map<String, String> more = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            more.putAll(headers);
            more.put(header, value);
            return new Request(method, url, configured, more, body, limit, maxBytes);
        }

        public Request within(Duration time) {
            return new Request(method, url, configured, headers, body, time, maxBytes);
        }

        public Request atMost(long bytes) {
            return new Request(method, url, configured, headers, body, limit, bytes);
        }
    }

    /** An answer with any status. Upper and lower case in header names do not matter. */
    public record Answer(int status, Map<String, String> headers, byte[] body) {
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }

    /** A call without an answer. The message is a sentence for people, without addresses. */
    public static final class NoAnswer extends Exception {
        private final boolean maybeSent;

        NoAnswer(String reason, boolean maybeSent) {
            super(reason);
            this.maybeSent = maybeSent;
        }

        /** True if the receiver may have got the request. */
        public boolean maybeSent() {
            return maybeSent;
        }
    }

    /**
     * Makes a call and waits for its answer.
     *
     * @throws NoAnswer there is no answer, or only a part of an answer
     * @throws OutboundRefused the address is not allowed, and nothing was sent
     */
    public Answer make(Request request) throws NoAnswer, OutboundRefused, InterruptedException {
        return client.call(request, address(request));
    }

    private InetAddress address(Request request) throws NoAnswer, OutboundRefused {
        try {
            List<InetAddress> addresses =
                    request.configured().contains(request.url().destination())
                            ? List.of(InetAddress.getAllByName(
                                    request.url().destination().host()))
                            : outbound.addresses(request.url());
            return addresses.getFirst();
        } catch (UnknownHostException unknown) {
            throw new NoAnswer("There is no such host.", false);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
