package dev.parley.app.config;

import dev.parley.agents.DisconnectPolicy;
import dev.parley.auth.Sources;
import dev.parley.history.LanguageTag;
import dev.parley.limits.Durations;
import dev.parley.limits.Sizes;
import dev.parley.outbound.Destination;
import dev.parley.protocol.Actor;
import dev.parley.protocol.UuidV7;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.event.Level;

/**
 * The syntax of a setting's text and the type of its value.
 *
 * @param expected the subject of the sentence "… is expected" in error messages
 * @param show the function that prints a value
 * @param confidential true if an unreadable text must be kept out of error messages
 */
record ValueType<T>(
        String expected, Function<String, Optional<T>> parse, Function<T, String> show, boolean confidential) {
    static final int MIN_SECRET_BYTES = 32;
    private static final Duration MAX_DURATION = Duration.ofDays(1);

    static final ValueType<String> TEXT = open("a text that is not empty", ValueType::text);
    static final ValueType<Path> PATH = open("a path", ValueType::path);
    static final ValueType<Boolean> SWITCH =
            new ValueType<>("on or off", ValueType::onOrOff, on -> on ? "on" : "off", false);
    static final ValueType<Long> SIZE = new ValueType<>(
            "a size from 1 to 2047MB such as 262144, 256KB or 1MB",
            text -> Sizes.parse(text).filter(bytes -> bytes >= 1 && bytes <= Integer.MAX_VALUE),
            Sizes::format,
            false);
    static final ValueType<Duration> DURATION = new ValueType<>(
            "a time from 1ms to 24h such as 500ms, 15s, 2m or PT15S",
            text -> Durations.parse(text).filter(time -> time.toMillis() >= 1 && time.compareTo(MAX_DURATION) <= 0),
            Durations::format,
            false);
    static final ValueType<Level> LOG_LEVEL = new ValueType<>(
            "one of error, warn, info, debug, trace",
            ValueType::level,
            level -> level.name().toLowerCase(Locale.ROOT),
            false);
    static final ValueType<URI> WEB_URL =
            open("an address such as https://parley.example.org", text -> webUrl(text.strip()));
    /** Keeps a slash at the end, because issuers are compared letter by letter. */
    static final ValueType<URI> ISSUER = open(
            "an address such as https://login.example.org, by http only on this machine,",
            text -> webUrl(text.strip()).filter(OidcSettings::isSafe).map(url -> URI.create(text.strip())));

    static final ValueType<StorageSettings.Kind> STORAGE =
            new ValueType<>("folder or s3", StorageSettings.Kind::parse, StorageSettings.Kind::toString, false);
    static final ValueType<WakeupSettings.Kind> WAKEUPS = new ValueType<>(
            "auto, local, postgres or redis", WakeupSettings.Kind::parse, WakeupSettings.Kind::toString, false);
    static final ValueType<Secret> REDIS_URL = new ValueType<>(
            "an address such as redis://host:6379 or rediss://user:password@host:6380",
            WakeupSettings::redisUrl,
            WakeupSettings::withoutPassword,
            true);
    static final ValueType<String> CHANNEL_PREFIX = open(
            "a prefix such as parley: of at most 100 letters, digits, colons, dots, hyphens, underscores and braces",
            text -> text(text).filter(prefix -> prefix.matches("[A-Za-z0-9:._{}-]{1,100}")));
    static final ValueType<DisconnectPolicy> DISCONNECT =
            new ValueType<>("continue or cancel", DisconnectPolicy::parse, DisconnectPolicy::toString, false);
    static final ValueType<String> BUCKET = open(
            "a bucket's name of 3 to 63 letters, digits, dots, hyphens and underscores",
            text -> text(text).filter(name -> name.matches("[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]")));
    static final ValueType<String> KEY_PREFIX = open(
            "a prefix such as parley or company/parley, of letters, digits, hyphens and underscores,",
            text -> text(text).filter(prefix -> prefix.matches("[A-Za-z0-9_-]{1,100}(/[A-Za-z0-9_-]{1,100}){0,7}")));
    static final ValueType<List<Actor>> ACTORS = new ValueType<>(
            "a list of user ids or actors such as user:0192…, separated by commas,",
            ValueType::actors,
            actors -> actors.stream().map(Actor::value).collect(Collectors.joining(",")),
            false);
    static final ValueType<String> AGENT = open(
            "an agent's id such as agent:0192…, or its name in agents-file",
            text -> text(text).filter(name -> agent(name).isPresent() || AgentsFile.isName(name)));
    static final ValueType<String> LANGUAGE = open(
            "a language tag such as en or zh-CN",
            text -> Optional.of(text.strip()).filter(LanguageTag::isWellFormed));
    static final ValueType<DatabaseUrl> DATABASE_URL = new ValueType<>(
            "an address such as jdbc:postgresql://host:5432/name or postgresql://user:password@host:5432/name",
            DatabaseUrl::parse,
            DatabaseUrl::toString,
            true);
    static final ValueType<Secret> PASSWORD =
            new ValueType<>("a password", text -> Optional.of(new Secret(text)), Secret::toString, true);
    static final ValueType<Secret> SECRET_KEY =
            new ValueType<>("a secret that is not empty", text -> text(text).map(Secret::new), Secret::toString, true);
    static final ValueType<Secret> SIGNING_SECRET = new ValueType<>(
            "a secret of at least " + MIN_SECRET_BYTES + " bytes",
            text -> Optional.of(new Secret(text))
                    .filter(secret -> secret.reveal().getBytes(StandardCharsets.UTF_8).length >= MIN_SECRET_BYTES),
            Secret::toString,
            true);

    static final ValueType<Map<String, URI>> URLS_BY_SOURCE = new ValueType<>(
            "a list such as telegram=https://relay.example.com/out with a URL for each source",
            ValueType::urlsBySource,
            urls -> urls.entrySet().stream().map(Object::toString).sorted().collect(Collectors.joining(",")),
            false);
    static final ValueType<Map<String, Secret>> KEYS = new ValueType<>(
            "a list such as slack=…,relay=… with a key of at least 16 characters for each",
            ValueType::keys,
            keys -> keys.keySet().stream().map(name -> name + "=" + Secret.MASK).collect(Collectors.joining(",")),
            true);
    static final ValueType<List<URI>> WEB_URLS = new ValueType<>(
            "a list of addresses such as https://app.example.org, separated by commas,",
            ValueType::webUrls,
            urls -> urls.stream().map(URI::toString).collect(Collectors.joining(",")),
            false);
    static final ValueType<Map.Entry<String, String>> CLAIM = new ValueType<>(
            "a claim and its value such as role=admin",
            ValueType::claim,
            claim -> claim.getKey() + "=" + claim.getValue(),
            false);
    static final ValueType<Set<Destination>> DESTINATIONS = new ValueType<>(
            "a list of hosts with their ports such as agents.internal:8000, separated by commas,",
            ValueType::destinations,
            all -> all.stream().map(Destination::toString).sorted().collect(Collectors.joining(",")),
            false);
    private static final int MIN_KEY_CHARACTERS = 16;

    static ValueType<Integer> number(int least, int most) {
        String expected = most == Integer.MAX_VALUE
                ? "a whole number of at least " + least
                : "a whole number from " + least + " to " + most;
        return open(expected, text -> wholeNumber(text).filter(number -> number >= least && number <= most));
    }

    private static <T> ValueType<T> open(String expected, Function<String, Optional<T>> parse) {
        return new ValueType<>(expected, parse, Object::toString, false);
    }

    private static Optional<Integer> wholeNumber(String text) {
        try {
            return Optional.of(Integer.parseInt(text.strip()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(text.strip());
    }

    private static Optional<Path> path(String text) {
        try {
            return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static Optional<Boolean> onOrOff(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "on", "true", "yes" -> Optional.of(true);
            case "off", "false", "no" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static Optional<Level> level(String text) {
        for (Level level : Level.values()) {
            if (level.name().equalsIgnoreCase(text.strip())) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    private static Optional<URI> webUrl(String text) {
        try {
            // Paths are appended, so a slash at the end is removed.
            URI uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean plain = uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getRawUserInfo() == null;
            return web && plain && uri.getHost() != null ? Optional.of(uri) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static Optional<Map<String, Secret>> keys(String text) {
        Map<String, Secret> keys = new TreeMap<>();
        for (String part : text.split(",")) {
            int equals = part.indexOf('=');
            String source = equals < 0 ? "" : part.substring(0, equals).strip();
            String key = part.substring(equals + 1).strip();
            if (!Sources.isSource(source)
                    || key.length() < MIN_KEY_CHARACTERS
                    // A key shared by two sources would authenticate each as the other.
                    || keys.containsValue(new Secret(key))
                    || keys.put(source, new Secret(key)) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(Map.copyOf(keys));
    }

    private static Optional<Map<String, URI>> urlsBySource(String text) {
        Map<String, URI> urls = new TreeMap<>();
        for (String part : text.split(",")) {
            int equals = part.indexOf('=');
            String source = equals < 0 ? "" : part.substring(0, equals).strip();
            Optional<URI> url = webUrl(part.substring(equals + 1).strip());
            if (!Sources.isSource(source) || url.isEmpty() || urls.put(source, url.get()) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(Map.copyOf(urls));
    }

    private static Optional<List<URI>> webUrls(String text) {
        List<URI> urls = new ArrayList<>();
        for (String part : text.split(",")) {
            Optional<URI> url = webUrl(part.strip());
            if (url.isEmpty()) {
                return Optional.empty();
            }
            urls.add(url.get());
        }
        return Optional.of(List.copyOf(urls));
    }

    private static Optional<Set<Destination>> destinations(String text) {
        Set<Destination> all = new HashSet<>();
        for (String part : text.split(",", -1)) {
            Optional<Destination> one = Destination.parse(part.strip());
            if (one.isEmpty()) {
                return Optional.empty();
            }
            all.add(one.get());
        }
        return Optional.of(Set.copyOf(all));
    }

    private static Optional<Map.Entry<String, String>> claim(String text) {
        int equals = text.indexOf('=');
        return equals <= 0 || equals == text.length() - 1
                ? Optional.empty()
                : Optional.of(Map.entry(
                        text.substring(0, equals).strip(),
                        text.substring(equals + 1).strip()));
    }

    static Optional<Actor> agent(String text) {
        return Actor.parse(text.startsWith("agent:") ? text : "agent:" + text)
                .filter(actor -> actor.kind() == Actor.Kind.AGENT);
    }

    private static Optional<List<Actor>> actors(String text) {
        List<Actor> actors = new ArrayList<>();
        for (String part : text.split(",")) {
            String name = part.strip();
            Optional<Actor> actor = UuidV7.parseCanonical(name).map(Actor::user).or(() -> Actor.parse(name));
            if (actor.isEmpty()) {
                return Optional.empty();
            }
            actors.add(actor.get());
        }
        return Optional.of(List.copyOf(actors));
    }
}
