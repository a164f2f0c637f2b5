package dev.parley.agents.tools;

import dev.parley.agents.tools.ToolServerConfig.Approval;
import dev.parley.agents.tools.ToolServerConfig.Http;
import dev.parley.agents.tools.ToolServerConfig.Stdio;
import dev.parley.agents.tools.ToolServerConfig.Transport;
import dev.parley.outbound.ConfigFields;
import dev.parley.outbound.OutboundUrl;
import dev.parley.outbound.SecretText;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.Alphabet;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the configuration of one tool server, and collects its faults. */
final class ToolServerReader {
    static final int MAX_TIMEOUT_SECONDS = 600;
    static final int MAX_RESULT_CHARACTERS = 1_000_000;
    static final int MAX_ARGUMENTS = 64;
    static final int MAX_VARIABLES = 64;
    static final int MAX_TEXT = 4_096;

    private static final int TIMEOUT_SECONDS = 60;
    private static final int RESULT_CHARACTERS = 32_000;
    private static final String EXCEPT = "except";
    private static final Alphabet NAME = Alphabet.of("a-z0-9-");
    private static final Alphabet VARIABLE = Alphabet.of("A-Za-z0-9_");
    private static final Set<String> OF_STDIO =
            Set.of("command", "args", "env", "dir", "timeout_seconds", "tools", "approval", "max_result_characters");
    private static final Set<String> OF_HTTP =
            Set.of("url", "headers", "timeout_seconds", "tools", "approval", "max_result_characters");

    /** Headers that MCP itself sets. */
    private static final Set<String> HEADERS_OF_MCP =
            Set.of("mcp-session-id", "mcp-protocol-version", "last-event-id", "cache-control");

    private final String name;
    private final ConfigFields config;

    ToolServerReader(String name, ObjectNode config) {
        this.name = name;
        this.config = new ConfigFields(name, config);
    }

    ToolServerConfig require(Secrets secrets) {
        ToolServerConfig read = read();
        String texts = read.transport() instanceof Stdio ? "env" : "headers";
        config.requireSecrets(texts, read.transport().texts(), secrets);
        config.refuseFaults();
        return read;
    }

    ToolServerConfig read() {
        if (!Alphabet.LOWER_CASE.begins(name) || !NAME.spells(name, 1, 32)) {
            config.fault("is not a valid name of a tool server: use 1 to 32 of a-z, 0-9 and -, starting with a letter");
        }
        boolean http = !config.path("url").isMissingNode();
        if (http && !config.path("command").isMissingNode()) {
            config.fault("url", "cannot stand beside command: a server is either called or started");
        }
        config.requireKnown(
                http ? OF_HTTP : OF_STDIO,
                "is not known; a server of tools has command, args, env and dir, or url and headers; and"
                        + " timeout_seconds, tools, approval and max_result_characters");
        Optional<Transport> transport = http ? http() : stdio();
        Duration timeout =
                Duration.ofSeconds(config.number("timeout_seconds", TIMEOUT_SECONDS, 1, MAX_TIMEOUT_SECONDS));
        Set<String> tools = config.isAbsent("tools") ? null : names("tools", config.path("tools"));
        Approval approval = approval();
        int characters = config.number("max_result_characters", RESULT_CHARACTERS, 100, MAX_RESULT_CHARACTERS);
        config.refuseFaults();
        return new ToolServerConfig(name, transport.orElseThrow(), timeout, tools, approval, characters);
    }

    private Optional<Transport> http() {
        Optional<OutboundUrl> url = config.url("url", "where the server takes MCP's streamable HTTP");
        Map<String, SecretText> headers = config.headers("headers");
        headers.keySet().stream()
                .filter(header -> HEADERS_OF_MCP.contains(header.toLowerCase(Locale.ROOT)))
                .forEach(header -> config.fault("headers." + header, "cannot be set: the protocol needs it"));
        return url.map(there -> new Http(there, headers));
    }

    private Optional<Transport> stdio() {
        JsonNode command = config.path("command");
        if (!isText(command) || command.stringValue().isBlank()) {
            config.fault("command", "is required, as a text: the program to start; or url, for a server elsewhere");
            return Optional.empty();
        }
        return Optional.of(new Stdio(command.stringValue(), arguments(), environment(), directory()));
    }

    private List<String> arguments() {
        JsonNode given = config.path("args");
        List<String> arguments = new ArrayList<>();
        if (config.isAbsent("args")) {
            return arguments;
        }
        if (!given.isArray() || given.size() > MAX_ARGUMENTS) {
            config.fault("args", "must be a list of at most " + MAX_ARGUMENTS + " texts");
            return arguments;
        }
        for (JsonNode each : given) {
            if (isText(each)) {
                arguments.add(each.stringValue());
            } else {
                config.fault("args", "must hold texts of at most " + MAX_TEXT + " characters, without NUL");
            }
        }
        return arguments;
    }

    private Map<String, SecretText> environment() {
        JsonNode given = config.path("env");
        Map<String, SecretText> environment = new LinkedHashMap<>();
        if (config.isAbsent("env")) {
            return environment;
        }
        if (!given.isObject() || given.size() > MAX_VARIABLES) {
            config.fault("env", "must be an object of at most " + MAX_VARIABLES + " names and texts");
            return environment;
        }
        given.forEachEntry((variable, value) -> {
            if (!VARIABLE.spells(variable, 1, 128) || Alphabet.DIGITS.begins(variable)) {
                config.fault("env." + variable, "is not the name of a variable");
            } else if (!isText(value)) {
                config.fault("env." + variable, "must be a text of at most " + MAX_TEXT + " characters, without NUL");
            } else if (!new SecretText(value.stringValue()).isWellFormed()) {
                config.fault("env." + variable, "can only refer to secrets, as ${secret:NAME}");
            } else {
                environment.put(variable, new SecretText(value.stringValue()));
            }
        });
        return environment;
    }

    private @Nullable Path directory() {
        JsonNode given = config.path("dir");
        if (config.isAbsent("dir")) {
            return null;
        }
        try {
            Path path = isText(given) ? Path.of(given.stringValue()) : null;
            if (path != null && path.isAbsolute()) {
                return path;
            }
        } catch (InvalidPathException wrong) {
            // Reported below, without the given text.
        }
        config.fault("dir", "must be an absolute path: the folder to start the program in");
        return null;
    }

    private Approval approval() {
        JsonNode given = config.path("approval");
        if (config.isAbsent("approval")) {
            return new Approval.Always();
        }
        if (given.isArray()) {
            config.fault("approval", "cannot be a list: write {except: [...]} with the tools that need none");
            return new Approval.Always();
        }
        if (given.isObject()) {
            if (given.size() != 1 || !given.has(EXCEPT)) {
                config.fault("approval", "must hold except alone, a list of the tools that need none");
                return new Approval.Always();
            }
            return new Approval.Except(names("approval." + EXCEPT, given.path(EXCEPT)));
        }
        return switch (given.asString("")) {
            case "never" -> new Approval.Never();
            case "always" -> new Approval.Always();
            default -> {
                config.fault("approval", "must be always, never, or {except: [...]} with the tools that need none");
                yield new Approval.Always();
            }
        };
    }

    private Set<String> names(String member, JsonNode given) {
        Set<String> names = new LinkedHashSet<>();
        boolean fits = given.isArray() && given.size() <= ToolCatalogue.MAX_TOOLS;
        for (JsonNode each : given) {
            fits &= each.isString() && !each.stringValue().isEmpty();
            names.add(each.asString(""));
        }
        if (!fits) {
            config.fault(member, "must be a list of at most " + ToolCatalogue.MAX_TOOLS + " names of tools");
        }
        return names;
    }

    private static boolean isText(JsonNode given) {
        return given.isString()
                && given.stringValue().length() <= MAX_TEXT
                && given.stringValue().indexOf('\0') < 0;
    }
}
