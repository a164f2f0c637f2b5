package dev.parley.app.config;

import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The OpenID provider for sign-in on the console, and the console's client id at that provider. */
public record OidcSettings(URI issuer, String clientId, String scope) {
    private static final Set<String> THIS_MACHINE = Set.of("127.0.0.1", "localhost", "[::1]");

    /** The provider's origin (scheme, host and port), as browsers write it. */
    public String origin() {
        return issuer.getScheme() + "://" + issuer.getRawAuthority();
    }

    static @Nullable OidcSettings read(GivenSettings given) {
        URI issuer = given.find(Settings.OIDC_ISSUER);
        String client = given.find(Settings.OIDC_CLIENT_ID);
        if (issuer == null && client == null) {
            return null;
        }
        if (issuer == null || client == null) {
            throw new ConfigException("oidc-issuer and oidc-client-id belong together: set both, or none.");
        }
        if (given.find(Settings.JWKS_URL) == null) {
            throw new ConfigException("oidc-issuer is set, but jwks-url is not: without the provider's keys"
                    + " the server cannot verify its tokens.");
        }
        return new OidcSettings(issuer, client, given.require(Settings.OIDC_SCOPE));
    }

    /** True if an authorization code and a token may be sent to the issuer. Over a network only https is allowed. */
    static boolean isSafe(URI issuer) {
        return "https".equals(issuer.getScheme()) || THIS_MACHINE.contains(issuer.getHost());
    }
}
