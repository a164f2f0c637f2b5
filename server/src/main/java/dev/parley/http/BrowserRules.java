package dev.parley.http;

import dev.parley.protocol.Alphabet;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The headers for browsers on every answer. They tell a browser that the answer is data and not a page, and that pages
 * of listed sites may read the answer (<a href="https://fetch.spec.whatwg.org/#http-cors-protocol">CORS</a>). The API
 * has no cookies, so credentials are never allowed.
 *
 * @param origins the sites whose pages may call the API, as browsers spell them in {@code Origin}
 * @param strictTransport true if browsers must use https from now on
 */
public record BrowserRules(Set<String> origins, boolean strictTransport) {
    public static final BrowserRules NONE = new BrowserRules(Set.of(), false);

    private static final CharSequence REFERRER_POLICY = HttpHeaders.createOptimized("referrer-policy");
    private static final CharSequence NO_REFERRER = HttpHeaders.createOptimized("no-referrer");
    private static final CharSequence CONTENT_POLICY = HttpHeaders.createOptimized("content-security-policy");
    private static final CharSequence NOTHING =
            HttpHeaders.createOptimized("default-src 'none'; frame-ancestors 'none'");
    private static final CharSequence TRANSPORT = HttpHeaders.createOptimized("strict-transport-security");
    private static final CharSequence TWO_YEARS = HttpHeaders.createOptimized("max-age=63072000");
    private static final CharSequence ALLOW_ORIGIN = HttpHeaders.createOptimized("access-control-allow-origin");
    private static final CharSequence EXPOSE = HttpHeaders.createOptimized("access-control-expose-headers");
    private static final CharSequence EXPOSED = HttpHeaders.createOptimized(
            "X-Request-Id, Retry-After, Location, Content-Range, Content-Disposition, ETag");
    private static final CharSequence REQUEST_METHOD = HttpHeaders.createOptimized("access-control-request-method");
    private static final CharSequence REQUEST_HEADERS = HttpHeaders.createOptimized("access-control-request-headers");
    private static final Alphabet HEADER_NAMES = Alphabet.of("A-Za-z0-9!#$%&'*+.^_`|~, -");
    private static final String ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID,"
            + " apikey, x-client-info, x-upsert, cache-control, range, x-metadata";
    private static final String MAX_AGE_SECONDS = "600";

    public BrowserRules {
        origins = Set.copyOf(origins);
    }

    /** Derives the rules from the settings. Only the scheme, host and port of a site are used. */
    public static BrowserRules of(Collection<URI> sites, Optional<URI> publicUrl) {
        return new BrowserRules(
                sites.stream().map(BrowserRules::origin).collect(Collectors.toSet()),
                publicUrl.map(url -> "https".equalsIgnoreCase(url.getScheme())).orElse(false));
    }

    /** The origin as browsers spell it: lower case, and without the default port of the scheme. */
    private static String origin(URI site) {
        String scheme = site.getScheme().toLowerCase(Locale.ROOT);
        int usual = scheme.equals("https") ? 443 : 80;
        String host = site.getHost().toLowerCase(Locale.ROOT);
        return scheme + "://" + host + (site.getPort() < 0 || site.getPort() == usual ? "" : ":" + site.getPort());
    }

    void putHeaders(HttpServerRequest request, HttpServerResponse response) {
        response.putHeader(REFERRER_POLICY, NO_REFERRER);
        response.putHeader(CONTENT_POLICY, NOTHING);
        if (strictTransport) {
            response.putHeader(TRANSPORT, TWO_YEARS);
        }
        if (!origins.isEmpty()) {
            response.putHeader(HttpHeaders.VARY, HttpHeaders.ORIGIN);
            String origin = request.getHeader(HttpHeaders.ORIGIN);
            if (origin != null && origins.contains(origin)) {
                response.putHeader(ALLOW_ORIGIN, origin);
                response.putHeader(EXPOSE, EXPOSED);
            }
        }
    }

    /** True if a browser asks whether a page of a listed site may send a request. */
    boolean isPreflight(HttpServerRequest request) {
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return request.method().name().equals("OPTIONS")
                && origin != null
                && origins.contains(origin)
                && request.headers().contains(REQUEST_METHOD);
    }

    /**
     * Allows any header that a page sends, because unknown headers have no effect here, while a refusal would break the
     * page's client.
     */
    static Answer preflight(HttpServerRequest request, String methods) {
        String requested = request.getHeader(REQUEST_HEADERS);
        String allowed = requested != null && HEADER_NAMES.spells(requested, 1, 2000)
                ? ALLOWED_HEADERS + ", " + requested
                : ALLOWED_HEADERS;
        return Answer.noContent()
                .withHeader("Access-Control-Allow-Methods", methods)
                .withHeader("Access-Control-Allow-Headers", allowed)
                .withHeader("Access-Control-Max-Age", MAX_AGE_SECONDS);
    }
}
