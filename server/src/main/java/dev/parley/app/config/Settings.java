package dev.parley.app.config;

import dev.parley.agents.Agents;
import dev.parley.agents.DisconnectPolicy;
import dev.parley.limits.Durations;
import dev.parley.limits.Limits;
import dev.parley.limits.Sizes;
import dev.parley.outbound.Destination;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Nearest;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The table of all settings. The settings for limits are derived from the records of {@link Limits}. */
final class Settings {
    private static final Map<String, Setting<?>> ALL = new LinkedHashMap<>();
    private static final Map<String, Setting<?>> LIMITS = new LinkedHashMap<>();
    private static final String LIMIT = "limit-";

    /** The prefix of the names of secrets. */
    static final String SECRETS = "secret-";

    /** The same prefix in the environment. */
    static final String SECRET_ENVIRONMENT = "PARLEY_SECRET_";

    private static final Pattern SECRET_NAME = Pattern.compile(SECRETS + "[a-z][a-z0-9-]{0,63}");

    /** The environment names that only the start script reads. */
    static final Set<String> LAUNCHER_ENVIRONMENT =
            Set.of("PARLEY_HEAP", "PARLEY_JAVA_HOME", "PARLEY_JAVA_OPTS", "PARLEY_JDK_ROOTS", "PARLEY_REHEARSAL");

    static final Setting<Path> CONFIG =
            add("config", ValueType.PATH, null, "YAML file with settings (not a key of that file itself)");
    static final Setting<String> HOST = add(
            "host", ValueType.TEXT, "127.0.0.1", "address to listen on; any but loopback needs jwt-secret or jwks-url");
    static final Setting<Integer> PORT =
            add("port", ValueType.number(0, 65_535), "8080", "port to listen on; 0 takes any free one");
    static final Setting<URI> PUBLIC_URL =
            add("public-url", ValueType.WEB_URL, null, "address under which callers reach the server");
    static final Setting<String> NODE_NAME =
            add("node-name", ValueType.TEXT, null, "name of this node; without it the name and port of its host");
    static final Setting<Path> DATA = add("data", ValueType.PATH, "./data", "folder in which data is kept");
    static final Setting<DatabaseUrl> DATABASE_URL =
            add("database-url", ValueType.DATABASE_URL, null, "external PostgreSQL; without it Parley brings its own");
    static final Setting<String> DATABASE_USER =
            add("database-user", ValueType.TEXT, null, "user of the external PostgreSQL");
    static final Setting<Secret> DATABASE_PASSWORD =
            add("database-password", ValueType.PASSWORD, null, "password of the external PostgreSQL");
    static final Setting<Integer> DATABASE_POOL =
            add("database-pool", ValueType.number(1, 1_000), "10", "connections kept beside those of the lanes");
    static final Setting<WakeupSettings.Kind> WAKEUPS = add(
            "wakeups", ValueType.WAKEUPS, "auto", "carrier of hints between nodes: redis, postgres, local, or auto");
    static final Setting<Secret> REDIS_URL =
            add("redis-url", ValueType.REDIS_URL, null, "Redis or Valkey that carries hints between nodes");
    static final Setting<String> REDIS_PREFIX =
            add("redis-prefix", ValueType.CHANNEL_PREFIX, "parley:", "prefix of the channel names in Redis");
    static final Setting<Path> REDIS_CA_FILE = add(
            "redis-ca-file", ValueType.PATH, null, "certificates trusted for Redis in place of the usual ones (PEM)");
    static final Setting<StorageSettings.Kind> STORAGE =
            add("storage", ValueType.STORAGE, "folder", "store of objects: folder (in the data folder) or s3");
    static final Setting<Path> STORAGE_FOLDER =
            add("storage-folder", ValueType.PATH, null, "folder of objects elsewhere, such as one that nodes share");
    static final Setting<String> STORAGE_BUCKET = add("storage-bucket", ValueType.BUCKET, null, "bucket of s3");
    static final Setting<URI> STORAGE_ENDPOINT =
            add("storage-endpoint", ValueType.WEB_URL, null, "address of an s3 other than that of AWS");
    static final Setting<String> STORAGE_REGION =
            add("storage-region", ValueType.TEXT, "us-east-1", "region of the bucket");
    static final Setting<String> STORAGE_ACCESS_KEY =
            add("storage-access-key", ValueType.TEXT, null, "name of the key for the bucket");
    static final Setting<Secret> STORAGE_SECRET_KEY =
            add("storage-secret-key", ValueType.SECRET_KEY, null, "secret of the key for the bucket");
    static final Setting<String> STORAGE_PREFIX =
            add("storage-prefix", ValueType.KEY_PREFIX, null, "prefix of the names of objects in the bucket");
    static final Setting<Boolean> STORAGE_PATH_STYLE =
            add("storage-path-style", ValueType.SWITCH, "on", "off puts the bucket into the host's name");
    static final Setting<Secret> JWT_SECRET =
            add("jwt-secret", ValueType.SIGNING_SECRET, null, "secret that signs user tokens (HS256)");
    static final Setting<Secret> JWT_SECRET_PREVIOUS =
            add("jwt-secret-previous", ValueType.SIGNING_SECRET, null, "former secret, still good for verifying");
    static final Setting<Secret> SIGNING_SECRET =
            add("signing-secret", ValueType.SIGNING_SECRET, null, "secret that signs the URLs of objects");
    static final Setting<Secret> SIGNING_SECRET_PREVIOUS =
            add("signing-secret-previous", ValueType.SIGNING_SECRET, null, "former secret, still good for verifying");
    static final Setting<String> JWT_AUDIENCE =
            add("jwt-audience", ValueType.TEXT, "authenticated", "audience that user tokens must name");
    static final Setting<String> JWT_ISSUER =
            add("jwt-issuer", ValueType.TEXT, null, "issuer that user tokens must name");
    static final Setting<List<Actor>> OPERATORS =
            add("operators", ValueType.ACTORS, null, "operators of this server, separated by commas");
    static final Setting<Map.Entry<String, String>> OPERATOR_CLAIM =
            add("operator-claim", ValueType.CLAIM, null, "claim of a user token that makes its holder an operator");
    static final Setting<URI> JWKS_URL =
            add("jwks-url", ValueType.WEB_URL, null, "address of the published keys of user tokens (ES256, RS256)");
    static final Setting<URI> OIDC_ISSUER =
            add("oidc-issuer", ValueType.ISSUER, null, "OpenID provider by which people sign in on the console");
    static final Setting<String> OIDC_CLIENT_ID =
            add("oidc-client-id", ValueType.TEXT, null, "client id of the console at the provider: a public client");
    static final Setting<String> OIDC_SCOPE =
            add("oidc-scope", ValueType.TEXT, "openid profile", "scopes that the console asks the provider for");
    static final Setting<Map<String, Secret>> INTEGRATION_KEYS =
            add("integration-keys", ValueType.KEYS, null, "keys of integrations by source, separated by commas");
    /** The name in this entry is only an example; {@link #find} accepts any name with the prefix. */
    static final Setting<Secret> SECRET = add(
            "secret-name",
            ValueType.SECRET_KEY,
            null,
            "secret that configurations of agents refer to as ${secret:name}, by any name");

    static final Setting<Set<Destination>> OUTBOUND_ALLOW = add(
            "outbound-allow",
            ValueType.DESTINATIONS,
            null,
            "private hosts with ports that URLs given by users may name, separated by commas");
    static final Setting<Secret> SLACK_SIGNING_SECRET =
            add("slack-signing-secret", ValueType.SECRET_KEY, null, "secret that Slack signs its events with");
    static final Setting<Secret> SLACK_BOT_TOKEN =
            add("slack-bot-token", ValueType.SECRET_KEY, null, "token by which answers are posted to Slack (xoxb-…)");
    static final Setting<URI> SLACK_API_URL =
            add("slack-api-url", ValueType.WEB_URL, "https://slack.com/api", "address of Slack's API");
    static final Setting<Set<Destination>> SLACK_FILE_HOSTS = add(
            "slack-file-hosts", ValueType.DESTINATIONS, "files.slack.com:443", "hosts that Slack's files come from");
    static final Setting<String> DISCORD_PUBLIC_KEY =
            add("discord-public-key", ValueType.TEXT, null, "key of the Discord application, as 64 hex digits");
    static final Setting<Secret> DISCORD_BOT_TOKEN =
            add("discord-bot-token", ValueType.SECRET_KEY, null, "token by which answers are posted to Discord");
    static final Setting<URI> DISCORD_API_URL =
            add("discord-api-url", ValueType.WEB_URL, "https://discord.com/api/v10", "address of Discord's API");
    static final Setting<Set<Destination>> DISCORD_FILE_HOSTS = add(
            "discord-file-hosts",
            ValueType.DESTINATIONS,
            "cdn.discordapp.com:443,media.discordapp.net:443",
            "hosts that Discord's files come from");
    static final Setting<URI> BLUEBUBBLES_URL =
            add("bluebubbles-url", ValueType.WEB_URL, null, "address of the BlueBubbles server");
    static final Setting<Secret> BLUEBUBBLES_PASSWORD =
            add("bluebubbles-password", ValueType.SECRET_KEY, null, "password of the BlueBubbles server");
    static final Setting<Secret> BLUEBUBBLES_WEBHOOK_SECRET = add(
            "bluebubbles-webhook-secret",
            ValueType.SECRET_KEY,
            null,
            "last part of the path that the BlueBubbles server posts to");
    static final Setting<Map<String, URI>> RELAY_URLS = add(
            "relay-urls",
            ValueType.URLS_BY_SOURCE,
            null,
            "addresses for answers to other sources, such as telegram=https://…, separated by commas");
    static final Setting<List<URI>> CORS_ORIGINS =
            add("cors-origins", ValueType.WEB_URLS, null, "sites whose pages may call the API, separated by commas");
    static final Setting<Path> AGENTS_FILE =
            add("agents-file", ValueType.PATH, null, "YAML file with agents, servers of tools, prices and budgets");
    static final Setting<String> DEFAULT_AGENT = add(
            "default-agent",
            ValueType.AGENT,
            Agents.DEMO.value(),
            "agent that answers where no other one is named, by its id or its name in agents-file");
    static final Setting<DisconnectPolicy> AGUI_DISCONNECT = add(
            "agui-disconnect",
            ValueType.DISCONNECT,
            "continue",
            "fate of a run whose AG-UI client has left: continue or cancel");
    static final Setting<String> LOCALE =
            add("locale", ValueType.LANGUAGE, "en", "language for frontends, unless an agent names one");
    static final Setting<Boolean> RATE_LIMITS =
            add("rate-limits", ValueType.SWITCH, "on", "off lifts rate and stream limits");
    static final Setting<Integer> LANES = add("lanes", ValueType.number(1, 16), "2", "parallel writers of the log");
    static final Setting<Level> LOG_LEVEL =
            add("log-level", ValueType.LOG_LEVEL, "info", "lowest level of lines in the log");
    static final Setting<Duration> SHUTDOWN_GRACE =
            add("shutdown-grace", ValueType.DURATION, "20s", "time that running work has to finish when stopping");
    static final Setting<Duration> SHUTDOWN_DRAIN = add(
            "shutdown-drain",
            ValueType.DURATION,
            null,
            "time for which a stopping node still takes new work, until its balancer knows");

    static final Setting<Integer> RETENTION_DAYS = add(
            "retention-days",
            ValueType.number(1, 36_500),
            null,
            "days after which messages are erased; without it they are kept for ever");

    /**
     * The order of the limits in help and documents. This order is by topic, but the records of {@link Limits} are
     * ordered by package.
     */
    private static final String LIMIT_ORDER = """
            other-body agent-body header-bytes chat-content run-messages run-text metadata-bytes opaque-id
            display-name title mentions participants reactions page page-bytes filter-scan history-day in-flight
            waiting-polls request-memory-percent memory-timeout streams-per-actor stream-threads
            user-messages-per-minute agent-messages-per-minute thread-operations-per-minute polls-per-minute
            heartbeat long-poll slow-reader head-timeout body-timeout upload-time drain-bytes drain-time
            lane-queue lane-queue-bytes lane-batch lane-batch-bytes append-deadline tail-bytes tail-bytes-total
            page-reads context-messages runs-executing runs-queued run-time run-claim run-output run-event-days
            run-events-per-minute upload-bytes uploads-at-once uploads-per-actor uploads-per-minute image-pixels
            attachments unused-attachment-days owned-objects owned-bytes agui-body agui-messages agui-text
            snapshot-bytes parcel-time remote-frame remote-silence model-silence context-tokens context-memory
            context-days ingest-body ingest-text external-id mention-token thread-context ingest-per-minute
            webhooks webhook-answer webhook-sweep delivery-parts delivery-patience deliveries-at-once
            delivery-turn delivery-lease platform-files-time platform-names-time platform-history-time
            platform-history-messages session-body session-events session-messages session-answer
            session-document session-agents session-run-events database-lock""";

    static {
        Map<String, Object> limits = new HashMap<>(Limits.settings());
        for (String name : LIMIT_ORDER.strip().split("\\s+")) {
            addLimit(LIMIT + name, Objects.requireNonNull(limits.remove(LIMIT + name), name));
        }
        if (!limits.isEmpty()) {
            throw new IllegalStateException("The order of the limits lacks " + limits.keySet());
        }
    }

    private Settings() {}

    static Collection<Setting<?>> all() {
        return Collections.unmodifiableCollection(ALL.values());
    }

    /** The settings of the limits by their names. */
    static Map<String, Setting<?>> limits() {
        return Collections.unmodifiableMap(LIMITS);
    }

    /** The setting with this name; null if there is none. Every valid name with the prefix of secrets has a setting. */
    static @Nullable Setting<?> find(String name) {
        Setting<?> setting = ALL.get(name);
        return setting == null && SECRET_NAME.matcher(name).matches()
                ? new Setting<>(name, SECRET.type(), null, SECRET.meaning())
                : setting;
    }

    static String nearest(String name) {
        return Nearest.of(name, ALL.keySet());
    }

    private static <T> Setting<T> add(String name, ValueType<T> type, @Nullable String fallback, String meaning) {
        Setting<T> setting = new Setting<>(name, type, fallback, meaning);
        ALL.put(name, setting);
        return setting;
    }

    private static void addLimit(String name, Object fallback) {
        String meaning = "limit: " + name.substring(LIMIT.length()).replace('-', ' ');
        LIMITS.put(
                name,
                switch (fallback) {
                    case Integer count -> add(name, ValueType.number(1, Integer.MAX_VALUE), count.toString(), meaning);
                    case Long bytes -> add(name, ValueType.SIZE, Sizes.format(bytes), meaning);
                    case Duration time -> add(name, ValueType.DURATION, Durations.format(time), meaning);
                    default -> throw new IllegalStateException("No setting can hold the limit " + name);
                });
    }
}
