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
 * Fetches the files that platforms keep. Only from the hosts that the platform is known to keep files at, since a URL in a
 * message is what a stranger wrote, and what is sent along may be a token.
 */
public final class PlatformFiles {
    private final Calls calls;
    private final long maxBytes;
    private final Duration limit;

    /**
     * @param maxBytes of one file
     * @param limit for one file
     */
    public PlatformFiles(Calls calls, long maxBytes, Duration limit) {
        this.calls = calls;
        this.maxBytes = maxBytes;
        this.limit = limit;
    }

    /**
     * Fetches one file.
     *
     * @param hosts where the platform keeps files; unless one of them is named with another port, over https only
     * @param trusted whether an operator configured the place, so that it may be a private one
     */
    public byte[] fetch(String url, Set<Destination> hosts, Map<String, String> headers, boolean trusted)
            throws RemoteFile.Failed, InterruptedException {
        OutboundUrl from = parse(url);
        if (!hosts.contains(from.destination())) {
            throw new RemoteFile.Failed("The file is at a host that files are not fetched from.");
        }
        Calls.Request request = Calls.Request.get(from).within(limit).atMost(maxBytes);
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
            throw new RemoteFile.Failed("The file has no URL that can be fetched.");
        }
    }
}
