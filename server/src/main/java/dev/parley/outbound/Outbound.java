package dev.parley.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * The one rule about where the server connects to when it is told an address: the open internet, what an operator
 * allowed, and what an operator configured. Anything else would let a caller reach into the server's own network.
 */
public final class Outbound {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final Set<Destination> allowed;
    private final Resolver resolver;

    /** @param allowed hosts that may be reached whatever their addresses are */
    public Outbound(Set<Destination> allowed) {
        this(allowed, host -> List.of(InetAddress.getAllByName(host)));
    }

    Outbound(Set<Destination> allowed, Resolver resolver) {
        this.allowed = Set.copyOf(allowed);
        this.resolver = resolver;
    }

    /** Finds the addresses of a host. */
    interface Resolver {
        List<InetAddress> resolve(String host) throws UnknownHostException;
    }

    /**
     * A client that follows no redirect, since a redirect could lead anywhere. Whoever made it closes it.
     */
    public static HttpClient newClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /**
     * Refuses a URL that may not be called.
     *
     * @param configured what an operator named as the place to call
     */
    public void require(OutboundUrl url, Set<Destination> configured) throws OutboundRefused, UnknownHostException {
        if (!configured.contains(url.destination())) {
            addresses(url);
        }
    }

    /** Whether an operator allowed a host, whatever its addresses are. */
    public boolean isAllowed(Destination destination) {
        return allowed.contains(destination);
    }

    /**
     * The addresses to connect to, all of them allowed. Whoever calls a URL that a stranger gave connects to one of these
     * and not to the name, which may lead elsewhere a moment later.
     */
    public List<InetAddress> addresses(OutboundUrl url) throws OutboundRefused, UnknownHostException {
        String host = url.destination().host();
        if (isAllowed(url.destination())) {
            return resolver.resolve(host);
        }
        List<InetAddress> found = publicAddresses(host);
        if (found.isEmpty()) {
            // One sentence for both: which names the server's own network knows is nobody else's business.
            throw new OutboundRefused("The address does not lead to a public host that can be found.");
        }
        return found;
    }

    /** Empty for a host that cannot be found, and for one with any other address. */
    private List<InetAddress> publicAddresses(String host) {
        try {
            List<InetAddress> found = resolver.resolve(host);
            return found.stream().allMatch(PublicAddresses::isPublic) ? found : List.of();
        } catch (UnknownHostException unknown) {
            return List.of();
        }
    }
}
