package dev.parley.agents.model;

import dev.parley.outbound.ConfigFields;
import dev.parley.outbound.OutboundUrl;
import dev.parley.outbound.SecretText;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Nearest;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the configuration of an agent of kind model, and collects its faults. */
final class ModelConfigReader {
    static final int MAX_INSTRUCTIONS = 32_000;
    static final int MAX_REQUESTS = 100;
    static final int MIN_CONTEXT = 1_000;
    static final int MAX_CONTEXT_TOKENS = 2_000_000;
    static final int MAX_OUTPUT_TOKENS = 1_000_000;
    static final int MAX_SILENCE_SECONDS = 3_600;
    static final int MAX_SERVERS = 32;

    private static final int CONTEXT = 32_000;
    private static final int REQUESTS = 12;

    /** Characters of a model's name, which becomes part of a path at some providers. */
    private static final Alphabet MODEL = Alphabet.of("A-Za-z0-9._:/@+-");

    private static final Alphabet PUNCTUATION = Alphabet.of("._:/@+-");

    private final ConfigFields config;

    ModelConfigReader(ObjectNode config) {
        this.config = new ConfigFields("config", config);
    }

    ModelConfig require(Secrets secrets, Collection<String> toolServers) {
        ModelConfig read = read();
        config.requireSecrets("headers", read.headers(), secrets);
        if (read.apiKey() != null) {
            config.requireSecrets("api_key", read.apiKey(), secrets);
        }
        read.toolServers().stream()
                .filter(server -> !toolServers.contains(server))
                .forEach(server -> config.fault(
                        "tool_servers",
                        "names " + server + ", which is none of this server's: " + String.join(", ", toolServers)));
        config.refuseFaults();
        return read;
    }

    ModelConfig read() {
        config.requireKnown(
                ModelConfig.MEMBERS,
                "is not known; an agent of kind model has " + String.join(", ", ModelConfig.MEMBERS));
        Provider provider = provider();
        String model = model();
        boolean elsewhere = !config.isAbsent("base_url");
        Optional<OutboundUrl> url = elsewhere
                ? config.url("base_url", "where the provider's API is")
                : Optional.of(OutboundUrl.parse(provider.url()));
        SecretText key = apiKey(provider, elsewhere);
        Map<String, SecretText> headers = config.headers("headers");
        String instructions = instructions();
        Double temperature = temperature();
        Integer maxOutput = config.isAbsent("max_output_tokens")
                ? null
                : config.number("max_output_tokens", 1, 1, MAX_OUTPUT_TOKENS);
        Reasoning reasoning = reasoning(provider, maxOutput);
        boolean prompted = choice("tools", "native", "prompt").equals("prompt");
        List<String> servers = servers();
        int context = config.number("context_tokens", CONTEXT, MIN_CONTEXT, MAX_CONTEXT_TOKENS);
        boolean images = images();
        int requests = config.number("max_requests", REQUESTS, 1, MAX_REQUESTS);
        Duration silence = config.seconds("silence_seconds", MAX_SILENCE_SECONDS);
        config.refuseFaults();
        return new ModelConfig(
                provider,
                model,
                url.orElseThrow(),
                elsewhere,
                key,
                headers,
                instructions,
                temperature,
                maxOutput,
                reasoning,
                prompted,
                servers,
                context,
                images,
                requests,
                silence);
    }

    private Provider provider() {
        String given = config.path("provider").asString("");
        Optional<Provider> provider = Provider.of(given);
        if (provider.isEmpty() && config.isAbsent("provider")) {
            config.fault("provider", "is required: openai, anthropic, gemini or ollama");
        } else if (provider.isEmpty()) {
            config.fault(
                    "provider",
                    "is not known; did you mean " + Nearest.of(given, Provider.NAMES)
                            + "? It is one of openai, anthropic, gemini and ollama");
        }
        return provider.orElse(Provider.OPENAI);
    }

    private String model() {
        String model = config.path("model").asString("");
        if (!MODEL.spells(model, 1, 200) || PUNCTUATION.begins(model) || model.contains("..")) {
            config.fault(
                    "model",
                    (model.isEmpty() ? "is required" : "is no name of a model")
                            + ": what the provider calls it, 1 to 200 of letters, digits and . _ : / @ + -");
        }
        return model;
    }

    private @Nullable SecretText apiKey(Provider provider, boolean elsewhere) {
        if (config.isAbsent("api_key")) {
            if (provider.isKeyed() && !elsewhere) {
                config.fault("api_key", "is required: the name of a secret, as ${secret:NAME}");
            }
            return null;
        }
        SecretText key = new SecretText(config.path("api_key").asString(""));
        List<String> names = key.names();
        if (names.size() != 1 || !key.template().equals("${secret:" + names.getFirst() + "}")) {
            // The value is not quoted, as it may be the key itself.
            config.fault("api_key", "must be the name of a secret and nothing else, as ${secret:NAME}");
            return null;
        }
        return key;
    }

    private String instructions() {
        if (config.isAbsent("instructions")) {
            return "";
        }
        JsonNode given = config.path("instructions");
        if (!given.isString()
                || given.stringValue().length() > MAX_INSTRUCTIONS
                || given.stringValue().indexOf('\0') >= 0) {
            config.fault("instructions", "must be a text of at most " + MAX_INSTRUCTIONS + " characters");
        }
        return given.asString("").strip();
    }

    private @Nullable Double temperature() {
        if (config.isAbsent("temperature")) {
            return null;
        }
        JsonNode given = config.path("temperature");
        if (!given.isNumber() || given.doubleValue() < 0 || given.doubleValue() > 2) {
            config.fault("temperature", "must be a number from 0 to 2");
            return null;
        }
        return given.doubleValue();
    }

    private Reasoning reasoning(Provider provider, @Nullable Integer maxOutput) {
        Optional<Reasoning> reasoning = Reasoning.read(config.path("reasoning"), provider);
        if (reasoning.isEmpty()) {
            config.fault("reasoning", Reasoning.rule(provider) + " for " + provider);
        }
        if (provider == Provider.ANTHROPIC
                && maxOutput != null
                && reasoning.orElse(null) instanceof Reasoning.Budget budget
                && budget.tokens() >= maxOutput) {
            config.fault("reasoning", "must be less than max_output_tokens, which it is a part of");
        }
        if (provider == Provider.ANTHROPIC
                && reasoning.orElse(null) instanceof Reasoning.Budget
                && !config.isAbsent("temperature")) {
            config.fault("temperature", "must not stand beside reasoning for anthropic, which takes only one of them");
        }
        return reasoning.orElseGet(Reasoning.AsIs::new);
    }

    private List<String> servers() {
        JsonNode given = config.path("tool_servers");
        Set<String> servers = new LinkedHashSet<>();
        if (config.isAbsent("tool_servers")) {
            return List.of();
        }
        boolean fits = given.isArray() && given.size() <= MAX_SERVERS;
        for (JsonNode each : given) {
            fits &= each.isString() && !each.stringValue().isEmpty() && servers.add(each.stringValue());
        }
        if (!fits) {
            config.fault("tool_servers", "must be a list of at most " + MAX_SERVERS + " names, each once");
        }
        return List.copyOf(servers);
    }

    private boolean images() {
        JsonNode given = config.path("images");
        if (!config.isAbsent("images") && !given.isBoolean()) {
            config.fault("images", "must be true or false");
        }
        return given.asBoolean(true);
    }

    private String choice(String member, String first, String second) {
        String given = config.isAbsent(member) ? first : config.path(member).asString("");
        if (!given.equals(first) && !given.equals(second)) {
            config.fault(member, "must be " + first + " or " + second);
        }
        return given;
    }
}
