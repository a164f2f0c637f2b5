package dev.parley.app.config;

import dev.parley.agents.DisconnectPolicy;
import dev.parley.limits.Limits;
import dev.parley.outbound.Destination;
import dev.parley.protocol.Actor;
import dev.parley.storage.DatabaseAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The configuration of one server, complete and checked. Flags win over the environment, the environment over the YAML
 * file, the file over the defaults.
 *
 * @param data the data folder as given, relative to the folder in which the server was started
 * @param warnings sentences for the operator about ignored settings and likely mistakes
 */
public record Config(
        Listen listen,
        Node node,
        Path data,
        Stores stores,
        Access access,
        Services services,
        AgentSettings agents,
        Limits limits,
        List<String> warnings,
        List<String> describe) {

    /**
     * The address at which the server listens.
     *
     * @param publicUrl the address for callers, if it differs from the address to listen on
     */
    public record Listen(String host, int port, @Nullable URI publicUrl, List<URI> corsOrigins) {}

    /** This node: its name, its lanes, its log level, and the time limits of its stop. */
    public record Node(
            @Nullable String name, int lanes, Level logLevel, Duration shutdownGrace, Duration shutdownDrain) {}

    /**
     * The stores of the server, and the carrier of hints between nodes that share them.
     *
     * @param pool the number of connections beside those of the lanes
     * @param retentionDays the days after which messages are erased; null if they are never erased
     */
    public record Stores(
            Database database,
            int pool,
            Wakeups wakeups,
            Storage storage,
            @Nullable Integer retentionDays) {}

    /** The callers: their credentials, the operators among them, and the switch for rate limits. */
    public record Access(
            Jwt jwt,
            @Nullable OidcSettings oidc,
            SigningSettings signing,
            Operators operators,
            Map<String, Secret> integrationKeys,
            boolean rateLimits) {}

    /**
     * The services that the server calls.
     *
     * @param secrets the secrets that configurations of agents and tool servers refer to by name
     * @param allowed the private hosts that URLs from users may name
     */
    public record Services(PlatformSettings platforms, Map<String, Secret> secrets, Set<Destination> allowed) {}

    /**
     * The agents that an operator configures, and the rules for all agents.
     *
     * @param disconnect the fate of a run whose AG-UI client has disconnected
     */
    public record AgentSettings(AgentsFile file, Actor defaultAgent, DisconnectPolicy disconnect, String locale) {}

    /** The settings that verify user tokens. Without them the server creates a secret of its own. */
    public record Jwt(
            @Nullable Secret secret,
            @Nullable Secret previousSecret,
            @Nullable URI jwksUrl,
            String audience,
            @Nullable String issuer) {
        /**
         * True if the verification of user tokens is configured. If not, a caller without a token on the server's own
         * machine, such as the console, is the local user.
         */
        public boolean configured() {
            return secret != null || jwksUrl != null;
        }
    }

    /** The operators of the server: named actors, and users whose token carries the claim. */
    public record Operators(List<Actor> named, Map.@Nullable Entry<String, String> claim) {}

    /** The PostgreSQL that the server uses. */
    public sealed interface Database {
        /** The bundled PostgreSQL, with its cluster in the data folder. */
        record Embedded() implements Database {}

        /** A PostgreSQL that the operator runs. */
        record External(
                String jdbcUrl,
                @Nullable String user,
                @Nullable Secret password) implements Database {
            public DatabaseAddress address() {
                return new DatabaseAddress(jdbcUrl, user, password == null ? null : password.reveal());
            }

            @Override
            public String toString() {
                return "External[" + new DatabaseUrl(jdbcUrl, null, null) + "]";
            }
        }
    }

    /** The carrier of hints between nodes. */
    public sealed interface Wakeups {
        /** No carrier, because there is only one node. */
        record Local() implements Wakeups {}

        /** The database carries the hints. */
        record Postgres() implements Wakeups {}

        /** A Redis or Valkey server carries the hints. */
        record Redis(Secret url, String prefix, @Nullable Path authority) implements Wakeups {}
    }

    /** The storage for the bytes of objects. */
    public sealed interface Storage {
        /** A folder: {@code elsewhere} or, if {@code elsewhere} is null, a folder inside the data folder. */
        record Folder(@Nullable Path elsewhere) implements Storage {}

        /** An S3 bucket. If the endpoint is null, the bucket is one of AWS. */
        record S3(
                String bucket,
                @Nullable URI endpoint,
                String region,
                String accessKey,
                Secret secretKey,
                String prefix,
                boolean pathStyle)
                implements Storage {}
    }

    /**
     * Reads the configuration from a command's arguments and the environment.
     *
     * @throws ConfigException if a setting is unknown or unreadable, or contradicts another setting
     */
    public static Config load(List<String> arguments, Map<String, String> environment) {
        EnvironmentSource fromEnvironment = EnvironmentSource.read(environment);
        Map<String, GivenSettings.Entry> flags = FlagSource.read(arguments);
        GivenSettings given = new GivenSettings();
        given.overlay(fromEnvironment.entries());
        given.overlay(flags);
        Path file = given.find(Settings.CONFIG);
        if (file != null) {
            given = new GivenSettings();
            given.overlay(YamlSource.read(file));
            given.overlay(fromEnvironment.entries());
            given.overlay(flags);
        }
        return build(given, fromEnvironment.warnings());
    }

    /** One line for each setting: flag, meaning and default. */
    public static List<String> help() {
        return Settings.all().stream()
                .map(setting -> "  %-28s %s%s"
                        .formatted(
                                setting.flag(),
                                setting.meaning(),
                                setting.fallback() == null ? "" : " (" + setting.fallback() + ")"))
                .toList();
    }

    private static Config build(GivenSettings given, List<String> warnings) {
        Listen listen = listen(given);
        Jwt jwt = jwt(given);
        check(listen, jwt);
        List<String> all = new ArrayList<>(warnings);
        AgentSettings agents = agents(given);
        if (listen.publicUrl() == null && isEverywhere(listen.host())) {
            all.add("public-url is not set, so the URLs of objects name 127.0.0.1, where others do not find them.");
        }
        return new Config(
                listen,
                node(given),
                given.require(Settings.DATA),
                stores(given),
                access(given, jwt),
                services(given),
                agents,
                limits(given),
                List.copyOf(all),
                given.effective().stream()
                        .map(line -> "%-28s %s (%s)".formatted(line.name(), line.shown(), line.origin()))
                        .toList());
    }

    private static Listen listen(GivenSettings given) {
        return new Listen(
                withoutBrackets(given.require(Settings.HOST)),
                given.require(Settings.PORT),
                given.find(Settings.PUBLIC_URL),
                Objects.requireNonNullElse(given.find(Settings.CORS_ORIGINS), List.of()));
    }

    private static Node node(GivenSettings given) {
        return new Node(
                given.find(Settings.NODE_NAME),
                given.require(Settings.LANES),
                given.require(Settings.LOG_LEVEL),
                given.require(Settings.SHUTDOWN_GRACE),
                Objects.requireNonNullElse(given.find(Settings.SHUTDOWN_DRAIN), Duration.ZERO));
    }

    private static Stores stores(GivenSettings given) {
        Database database = database(given);
        return new Stores(
                database,
                given.require(Settings.DATABASE_POOL),
                WakeupSettings.read(given, database),
                StorageSettings.read(given),
                given.find(Settings.RETENTION_DAYS));
    }

    private static Jwt jwt(GivenSettings given) {
        return new Jwt(
                given.find(Settings.JWT_SECRET),
                given.find(Settings.JWT_SECRET_PREVIOUS),
                given.find(Settings.JWKS_URL),
                given.require(Settings.JWT_AUDIENCE),
                given.find(Settings.JWT_ISSUER));
    }

    private static Access access(GivenSettings given, Jwt jwt) {
        return new Access(
                jwt,
                OidcSettings.read(given),
                SigningSettings.read(given),
                new Operators(
                        Objects.requireNonNullElse(given.find(Settings.OPERATORS), List.of()),
                        given.find(Settings.OPERATOR_CLAIM)),
                Objects.requireNonNullElse(given.find(Settings.INTEGRATION_KEYS), Map.of()),
                given.require(Settings.RATE_LIMITS));
    }

    private static Services services(GivenSettings given) {
        return new Services(
                PlatformSettings.read(given),
                given.secrets(),
                Objects.requireNonNullElse(given.find(Settings.OUTBOUND_ALLOW), Set.of()));
    }

    private static AgentSettings agents(GivenSettings given) {
        AgentsFile file = AgentsFile.of(given);
        return new AgentSettings(
                file,
                file.require(given.require(Settings.DEFAULT_AGENT)),
                given.require(Settings.AGUI_DISCONNECT),
                given.require(Settings.LOCALE));
    }

    private static Limits limits(GivenSettings given) {
        Map<String, Object> values = new HashMap<>();
        Settings.limits().forEach((name, setting) -> values.put(name, given.require(setting)));
        return Limits.with(values);
    }

    private static Database database(GivenSettings given) {
        DatabaseUrl url = given.find(Settings.DATABASE_URL);
        String user = given.find(Settings.DATABASE_USER);
        Secret password = given.find(Settings.DATABASE_PASSWORD);
        if (url != null) {
            return new Database.External(
                    url.jdbc(), user == null ? url.user() : user, password == null ? url.password() : password);
        }
        if (user != null || password != null) {
            throw new ConfigException("A database user or password is set, but database-url is not: set it as well,"
                    + " or leave all three out to use the PostgreSQL that Parley brings along.");
        }
        return new Database.Embedded();
    }

    private static void check(Listen listen, Jwt jwt) {
        if (jwt.previousSecret() != null && jwt.secret() == null) {
            throw new ConfigException("jwt-secret-previous is set, but jwt-secret is not: set the current secret too.");
        }
        if (!jwt.configured() && !isLoopback(listen.host())) {
            throw new ConfigException("Listening on " + listen.host() + " needs jwt-secret ("
                    + Settings.JWT_SECRET.environmentName() + "), because callers from other machines must sign in;"
                    + " without it only loopback addresses such as 127.0.0.1 are possible.");
        }
    }

    /** True if a server that listens on this host is reachable at every address of its machine. */
    public static boolean isEverywhere(String host) {
        return host.equals("0.0.0.0") || host.equals("::");
    }

    private static boolean isLoopback(String host) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            throw new ConfigException("The setting host is \"" + host + "\", but this machine knows no such address.");
        }
    }

    private static String withoutBrackets(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
