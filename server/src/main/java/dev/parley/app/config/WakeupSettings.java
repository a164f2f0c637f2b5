package dev.parley.app.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks that the settings for the carrier of hints between nodes fit together. */
final class WakeupSettings {
    private static final String WITH_TLS = "rediss";

    /** The values of the setting {@code wakeups}. */
    enum Kind {
        AUTO,
        LOCAL,
        POSTGRES,
        REDIS;

        static Optional<Kind> parse(String text) {
            return switch (text.strip().toLowerCase(Locale.ROOT)) {
                case "auto" -> Optional.of(AUTO);
                case "local" -> Optional.of(LOCAL);
                case "postgres" -> Optional.of(POSTGRES);
                case "redis" -> Optional.of(REDIS);
                default -> Optional.empty();
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private WakeupSettings() {}

    static Config.Wakeups read(GivenSettings given, Config.Database database) {
        Kind kind = given.require(Settings.WAKEUPS);
        Secret url = given.find(Settings.REDIS_URL);
        Path authority = given.find(Settings.REDIS_CA_FILE);
        check(kind, url, authority);
        if (url != null) {
            return new Config.Wakeups.Redis(url, given.require(Settings.REDIS_PREFIX), authority);
        }
        return kind == Kind.POSTGRES || (kind == Kind.AUTO && database instanceof Config.Database.External)
                ? new Config.Wakeups.Postgres()
                : new Config.Wakeups.Local();
    }

    private static void check(Kind kind, @Nullable Secret url, @Nullable Path authority) {
        if (url == null && kind == Kind.REDIS) {
            throw new ConfigException("wakeups is redis, but redis-url is not set: set it ("
                    + Settings.REDIS_URL.environmentName() + "), or leave wakeups out.");
        }
        if (url != null && (kind == Kind.LOCAL || kind == Kind.POSTGRES)) {
            // A given URL would suggest that Redis is in use.
            throw new ConfigException("redis-url is set, but wakeups is " + kind
                    + ": set wakeups to redis or leave it out, or leave redis-url out.");
        }
        if (authority == null) {
            return;
        }
        if (url == null || !url.reveal().startsWith(WITH_TLS + ":")) {
            throw new ConfigException("redis-ca-file is set, but redis-url is not one of TLS: it must begin with "
                    + WITH_TLS + "://, or redis-ca-file be left out.");
        }
        if (!Files.isReadable(authority)) {
            throw new ConfigException("The file " + authority + " that redis-ca-file names cannot be read.");
        }
    }

    static Optional<Secret> redisUrl(String text) {
        return address(text).map(address -> new Secret(text.strip()));
    }

    /** The address without its credentials, for the log. */
    static String withoutPassword(Secret url) {
        return address(url.reveal())
                .map(address -> address.getScheme() + "://"
                        + (address.getRawUserInfo() == null ? "" : Secret.MASK + "@")
                        + address.getHost()
                        + (address.getPort() < 0 ? "" : ":" + address.getPort()))
                .orElse(Secret.MASK);
    }

    private static Optional<URI> address(String text) {
        try {
            URI address = new URI(text.strip());
            boolean ofRedis = "redis".equals(address.getScheme()) || WITH_TLS.equals(address.getScheme());
            boolean plain = address.getRawQuery() == null
                    && address.getRawFragment() == null
                    // A number in the path chooses a database of Redis, which makes no difference to channels.
                    && String.valueOf(address.getRawPath()).matches("(/\\d{0,5})?");
            return ofRedis && plain && address.getHost() != null ? Optional.of(address) : Optional.empty();
        } catch (URISyntaxException unreadable) {
            return Optional.empty();
        }
    }
}
