package dev.parley.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * The rule for the destinations of outgoing calls: the public internet, hosts that an operator allowed, and
 * destinations of an operator's configuration. Calls to other destinations would let a caller reach into the server's
 * own network.
 */
public final class Outbound {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final Set<Destination> allowed;
    private final Resolver resolver;

    /** @param allowed hosts that may have any address */
    public Outbound(Set<Destination> allowed) {
        this(allowed, host -> List.of(InetAddress.getAllByName(host)));
    }

    Outbound(Set<Destination> allowed, Resolver resolver) {
        this.allowed = Set.copyOf(allowed);
        this.resolver = resolver;
    }

    /** Resolves a host to its addresses. */
    interface Resolver {
        List<InetAddress> resolve(String host) throws UnknownHostException;
    }

    /** A client that follows no redirects, which could lead anywhere. The caller closes it. */
    public static HttpClient newClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /**
     * Throws if a URL may not be called.
     *
     * @param configured destinations of an operator's configuration, which are always allowed
     */
    public void require(OutboundUrl url, Set<Destination> configured) throws OutboundRefused, UnknownHostException {
        if (!configured.contains(url.destination())) {
            addresses(url);
        }
    }

    /** True if an operator allowed the host with any address. */
    public boolean isAllowed(Destination destination) {
        return allowed.contains(destination);
    }

    /**
     * The allowed addresses of a URL. A call to a user's URL must connect to one of these addresses. It must not
     * connect to the host's name, because the name may resolve to another address a moment later.
     */
    public List<InetAddress> addresses(OutboundUrl url) throws OutboundRefused, UnknownHostException {
        String host = url.destination().host();
        if (isAllowed(url.destination())) {
            return resolver.resolve(host);
        }
        List<InetAddress> addresses = publicAddresses(host);
        if (addresses.isEmpty()) {
            // Unknown and private hosts get the same sentence,
            // because it must not reveal which names exist in the server's own network.
            throw new OutboundRefused("The address does not resolve to a public host.");
        }
        return addresses;
    }

    /** The addresses of a host; empty if the host is unknown, or if any of its addresses is not public. */
    private List<InetAddress> publicAddresses(String host) {
        try {
            List<InetAddress> addresses = resolver.resolve(host);
            return addresses.stream().allMatch(PublicAddresses::isPublic) ? addresses : List.of();
        } catch (UnknownHostException unknown) {
            return List.of();
        }
    }
}
