package dev.parley.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Short calls to the outside: sent whole, answered whole, bounded in time and bytes. Connects only to addresses that the
 * rule of {@link Outbound} allows, and to the very address that was judged.
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
     * A call to be made.
     *
     * @param configured what an operator named as the place to call; it may be anywhere
     * @param limit for all of it
     * @param maxBytes of the answer's body
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

        /** With another method, such as one that changes or takes away what is there. */
        public Request by(String other) {
            return new Request(other, url, configured, headers, body, limit, maxBytes);
        }

        /** To a URL that an operator configured. */
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

    /** What came back, whatever its status. Names of headers are found in any case. */
    public record Answer(int status, Map<String, String> headers, byte[] body) {
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** There is no answer. The message is a sentence for people and names no address. */
    public static final class NoAnswer extends Exception {
        private final boolean maybeSent;

        NoAnswer(String why, boolean maybeSent) {
            super(why);
            this.maybeSent = maybeSent;
        }

        /** Whether the other side may have got what was sent. */
        public boolean maybeSent() {
            return maybeSent;
        }
    }

    /**
     * Makes a call and waits for its answer.
     *
     * @throws NoAnswer there is none, or not a whole one
     * @throws OutboundRefused nothing was sent, since the server does not connect there
     */
    public Answer make(Request request) throws NoAnswer, OutboundRefused, InterruptedException {
        return client.call(request, address(request));
    }

    private InetAddress address(Request request) throws NoAnswer, OutboundRefused {
        try {
            List<InetAddress> found =
                    request.configured().contains(request.url().destination())
                            ? List.of(InetAddress.getAllByName(
                                    request.url().destination().host()))
                            : outbound.addresses(request.url());
            return found.getFirst();
        } catch (UnknownHostException unknown) {
            throw new NoAnswer("There is no such host.", false);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
