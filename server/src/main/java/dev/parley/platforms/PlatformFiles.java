package dev.parley.platforms;

import dev.parley.ingest.RemoteFile;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Destination;
import dev.parley.outbound.OutboundRefused;
import dev.parley.outbound.OutboundUrl;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * Downloads files of platforms. Only the hosts on which a platform stores its files are called, because strangers write
 * the URLs in messages, and because the request may contain a token.
 */
public final class PlatformFiles {
    private final Calls calls;
    private final long maxBytes;
    private final Duration limit;

    /**
     * @param maxBytes limit for the size of one file
     * @param limit limit for the time of one download
     */
    public PlatformFiles(Calls calls, long maxBytes, Duration limit) {
        this.calls = calls;
        this.maxBytes = maxBytes;
        this.limit = limit;
    }

    /**
     * Downloads one file.
     *
     * @param hosts the destinations on which the platform stores files; a URL with another host or port is refused
     * @param trusted true if an operator configured the destination, which may then be a private address
     */
    public byte[] fetch(String url, Set<Destination> hosts, Map<String, String> headers, boolean trusted)
            throws RemoteFile.Failed, InterruptedException {
        OutboundUrl address = parse(url);
        if (!hosts.contains(address.destination())) {
            throw new RemoteFile.Failed("The file's host is not one of the platform's file hosts.");
        }
        Calls.Request request = Calls.Request.get(address).within(limit).atMost(maxBytes);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            request = request.with(header.getKey(), header.getValue());
        }
        try {
            Calls.Answer answer = calls.make(trusted ? request.trusted() : request);
            if (answer.status() != 200) {
                throw new RemoteFile.Failed("The platform answered " + answer.status() + ".");
            }
            return answer.body();
        } catch (Calls.NoAnswer | OutboundRefused failed) {
            throw new RemoteFile.Failed(String.valueOf(failed.getMessage()));
        }
    }

    private static OutboundUrl parse(String url) throws RemoteFile.Failed {
        try {
            return OutboundUrl.parse(url);
        } catch (IllegalArgumentException notOne) {
            throw new RemoteFile.Failed("The file's URL is not valid.");
        }
    }
}
