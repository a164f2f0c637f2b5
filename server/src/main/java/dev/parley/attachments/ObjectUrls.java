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
 * Creates and parses the URLs that open objects. A valid URL has this server's address, the one accepted form, and a
 * token for exactly the object that its path names.
 */
public final class ObjectUrls {
    /** The life of a URL that is returned for an upload. */
    static final Duration AFTER_UPLOAD = Duration.ofHours(24);
    /** The life of a URL for a reader. */
    static final Duration FOR_READING = Duration.ofHours(1);

    private static final String STORAGE = "/storage/v1";
    private static final String SIGN = "/object/sign/";
    private static final String TOKEN = "?token=";
    private static final Set<String> LOOPBACK_NAMES = Set.of("127.0.0.1", "localhost", "[::1]");

    private final UrlTokens tokens;
    private final Supplier<URI> base;

    /**
     * @param base the address at which callers reach the server; read at each use, because the number of a free port is
     *     known only after the server has bound the port
     */
    public ObjectUrls(UrlTokens tokens, Supplier<URI> base) {
        this.tokens = tokens;
        this.base = base;
    }

    /** An absolute URL that opens the object for a limited time. */
    String temporary(ObjectKey key, Duration life) {
        return address() + STORAGE + SIGN + encoded(key.toString()) + TOKEN + tokens.forReading(key, life);
    }

    /**
     * The same URL for Supabase's storage client, which adds the address and encodes the path itself. Therefore the
     * path stays unencoded, except for three characters that the client does not encode or that would be decoded twice.
     */
    String temporaryForClient(ObjectKey key, Duration life) {
        return SIGN + escapedForClient(key.toString()) + TOKEN + tokens.forReading(key, life);
    }

    /**
     * The path to which the storage client may upload an object without another credential. The path is encoded here,
     * because the client does not encode it.
     */
    String uploadForClient(ObjectKey key, String token) {
        return "/object/upload/sign/" + encoded(key.toString()) + TOKEN + token;
    }

    /**
     * The object that a URL of this server opens, if its address, form, signature, purpose, path and expiry are valid.
     * Empty for any other URL: foreign hosts and buckets, other spellings of the path ({@code ..}, encoded slashes,
     * double encoding, NUL), forged and expired tokens, and tokens of other objects.
     */
    Optional<ObjectKey> parseSignedUrl(String url) {
        return parse(url).flatMap(parse -> keyOpenedBy(parse.path(), parse.token()));
    }

    /** The object that a path and its token open together. */
    Optional<ObjectKey> keyOpenedBy(String bucketAndPath, String token) {
        return tokens.verify(token, UrlTokens.Purpose.READ)
                .map(UrlTokens.Grant::key)
                .filter(key -> names(bucketAndPath, key));
    }

    /** True if a decoded path names this object, plain or in the storage client's spelling. */
    static boolean names(String bucketAndPath, ObjectKey key) {
        String name = key.toString();
        return bucketAndPath.equals(name) || bucketAndPath.equals(escapedForClient(name));
    }

    /**
     * The object's name in a URL, without the token. The URL need not be valid. Requests are compared and stored with
     * this name, because two requests that differ only in tokens are the same request, and no token may be stored.
     */
    Optional<String> withoutToken(String url) {
        return parse(url).map(SignedName::path);
    }

    private record SignedName(String path, String token) {}

    private Optional<SignedName> parse(String url) {
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
                    .map(name -> new SignedName(name, query.substring("token=".length())));
        } catch (URISyntaxException notAUrl) {
            return Optional.empty();
        }
    }

    private boolean isOurs(URI uri) {
        URI own = base.get();
        String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
        boolean ownHost = host.equalsIgnoreCase(own.getHost())
                // A server that only this machine can reach has several names.
                || LOOPBACK_NAMES.contains(host) && LOOPBACK_NAMES.contains(own.getHost());
        return own.getScheme().equalsIgnoreCase(uri.getScheme())
                && ownHost
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

    private static String escapedForClient(String name) {
        return name.replace("%", "%25").replace("#", "%23").replace("?", "%3F");
    }

    private static String encoded(String name) {
        return Split.at('/', name).stream().map(PercentEncoding::encodeSegment).collect(Collectors.joining("/"));
    }

    /** Decodes once, segment by segment; empty if a segment contains a slash or is no valid text. */
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
