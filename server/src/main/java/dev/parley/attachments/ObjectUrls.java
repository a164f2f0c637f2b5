package dev.parley.attachments;

import dev.parley.http.PercentEncoding;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.Split;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The URLs that open objects: made here, and read here alone. A URL is believed only as a whole: our address, the one
 * form of it, and a token for exactly the object that its path names.
 */
public final class ObjectUrls {
    /** A URL that came with an upload. */
    public static final Duration AFTER_UPLOAD = Duration.ofHours(24);
    /** A URL made for somebody who reads. */
    public static final Duration FOR_READING = Duration.ofHours(1);

    private static final String STORAGE = "/storage/v1";
    private static final String SIGN = "/object/sign/";
    private static final String TOKEN = "?token=";
    private static final Set<String> THIS_MACHINE = Set.of("127.0.0.1", "localhost", "[::1]");

    private final UrlTokens tokens;
    private final Supplier<URI> base;

    /** @param base where callers reach the server; asked late, since a free port is known only when it is taken */
    public ObjectUrls(UrlTokens tokens, Supplier<URI> base) {
        this.tokens = tokens;
        this.base = base;
    }

    /** An absolute URL that opens the object for so long. */
    public String temporary(ObjectKey key, Duration life) {
        return address() + STORAGE + SIGN + encoded(key.toString()) + TOKEN + tokens.forReading(key, life);
    }

    /**
     * The same for the storage client, which adds the address and encodes what it is given: it gets names as they are,
     * but for the three signs that it leaves alone or that would be read twice.
     */
    String temporaryForClient(ObjectKey key, Duration life) {
        return SIGN + spelled(key.toString()) + TOKEN + tokens.forReading(key, life);
    }

    /** Where the storage client may put an object without any other credential; encoded already, since it does not. */
    String uploadForClient(ObjectKey key, String token) {
        return "/object/upload/sign/" + encoded(key.toString()) + TOKEN + token;
    }

    /**
     * The object that a URL of ours opens, if all of it is right: address, form, signature, purpose, path, expiry. Foreign
     * hosts and buckets, other ways to write the path ({@code ..}, encoded slashes, double encoding, NUL), forged and
     * expired tokens and those of other objects are all the same: not ours.
     */
    public Optional<ObjectKey> parseSignedUrl(String url) {
        return named(url).flatMap(named -> opened(named.path(), named.token()));
    }

    /** The object that a path and its token open together. */
    Optional<ObjectKey> opened(String bucketAndPath, String token) {
        return tokens.verify(token, UrlTokens.Purpose.READ)
                .map(UrlTokens.Grant::key)
                .filter(key -> names(bucketAndPath, key));
    }

    /** Whether a decoded path names this object: as it is, or as the storage client was given it. */
    static boolean names(String bucketAndPath, ObjectKey key) {
        String name = key.toString();
        return bucketAndPath.equals(name) || bucketAndPath.equals(spelled(name));
    }

    /**
     * What a URL names, believed or not, without its token: so that two requests that differ in nothing else are the same
     * request, and no token is ever stored.
     */
    public Optional<String> withoutToken(String url) {
        return named(url).map(Named::path);
    }

    private record Named(String path, String token) {}

    private Optional<Named> named(String url) {
        try {
            URI uri = new URI(url);
            String path = uri.getRawPath();
            String query = uri.getRawQuery();
            String form = basePath() + STORAGE + SIGN;
            if (!isOurs(uri)
                    || path == null
                    || query == null
                    || !query.startsWith("token=")
                    || query.indexOf('&') >= 0
                    || uri.getRawFragment() != null
                    || !path.startsWith(form)) {
                return Optional.empty();
            }
            return decoded(path.substring(form.length()))
                    .map(name -> new Named(name, query.substring("token=".length())));
        } catch (URISyntaxException notAUrl) {
            return Optional.empty();
        }
    }

    private boolean isOurs(URI uri) {
        URI own = base.get();
        String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
        boolean here = host.equalsIgnoreCase(own.getHost())
                // A server for this machine alone is called by all of its names.
                || THIS_MACHINE.contains(host) && THIS_MACHINE.contains(own.getHost());
        return own.getScheme().equalsIgnoreCase(uri.getScheme())
                && here
                && uri.getRawUserInfo() == null
                && port(uri) == port(own);
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    }

    private String address() {
        URI own = base.get();
        return own.getScheme() + "://" + own.getRawAuthority() + basePath();
    }

    private String basePath() {
        String path = base.get().getRawPath();
        return path == null ? "" : Alphabet.SLASHES.strippedFromEnd(path);
    }

    private static String spelled(String name) {
        return name.replace("%", "%25").replace("#", "%23").replace("?", "%3F");
    }

    private static String encoded(String name) {
        return Split.at('/', name).stream().map(PercentEncoding::encodeSegment).collect(Collectors.joining("/"));
    }

    /** Decoded once, segment by segment; empty if a segment holds a slash of its own or is no text. */
    private static Optional<String> decoded(String raw) {
        try {
            List<String> segments = new ArrayList<>(Split.at('/', raw));
            for (int i = 0; i < segments.size(); i++) {
                segments.set(i, PercentEncoding.decodeSegment(segments.get(i)));
                if (segments.get(i).indexOf('/') >= 0) {
                    return Optional.empty();
                }
            }
            return Optional.of(String.join("/", segments));
        } catch (ProblemException malformed) {
            return Optional.empty();
        }
    }
}
