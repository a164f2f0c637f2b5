package dev.parley.app.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of an external PostgreSQL, given either as a JDBC URL or as the URL
 * {@code postgresql://user:password@host/db} that hosting platforms hand out. Its text form never shows a password.
 */
record DatabaseUrl(
        String jdbc, @Nullable String user, @Nullable Secret password) {
    private static final String JDBC = "jdbc:postgresql:";
    private static final Pattern PASSWORD_PARAMETER =
            Pattern.compile("([?&](?:ssl)?password=)[^&]*", Pattern.CASE_INSENSITIVE);

    static Optional<DatabaseUrl> parse(String text) {
        if (text.startsWith(JDBC)) {
            // The driver accepts no credentials before the host; it would read credentials as a part of the host name.
            boolean bare = !authority(text).contains("@");
            return bare && text.length() > JDBC.length()
                    ? Optional.of(new DatabaseUrl(text, null, null))
                    : Optional.empty();
        }
        try {
            return fromUri(new URI(text));
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String authority(String jdbc) {
        String rest = jdbc.substring(JDBC.length());
        return rest.startsWith("//") ? rest.substring(2).split("[/?]", 2)[0] : "";
    }

    private static Optional<DatabaseUrl> fromUri(URI uri) {
        boolean known = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
        if (!known
                || uri.getHost() == null
                || uri.getRawPath() == null
                || uri.getRawPath().length() < 2) {
            return Optional.empty();
        }
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        String jdbc = JDBC + "//" + uri.getHost() + port + uri.getRawPath() + query;
        String credentials = uri.getRawUserInfo();
        if (credentials == null) {
            return Optional.of(new DatabaseUrl(jdbc, null, null));
        }
        String[] parts = credentials.split(":", 2);
        Secret password = parts.length == 2 ? new Secret(decode(parts[1])) : null;
        return Optional.of(new DatabaseUrl(jdbc, decode(parts[0]), password));
    }

    private static String decode(String text) {
        // A plus sign in this part of a URL is not a space.
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return PASSWORD_PARAMETER.matcher(jdbc).replaceAll("$1" + Secret.MASK);
    }
}
