package dev.parley.agents.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.outbound.Secrets;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class ModelConfigTest {
    private static final Secrets SECRETS = new Secrets(Map.of("openai-key", "sk-secret"));

    private static ObjectNode config(String more) {
        ObjectNode config = Json.MAPPER
                .createObjectNode()
                .put("provider", "openai")
                .put("model", "gpt-5")
                .put("api_key", "${secret:OPENAI_KEY}");
        return config.setAll((ObjectNode) Json.MAPPER.readTree(more));
    }

    private static ModelConfig read(String more) {
        return ModelConfig.require(config(more), SECRETS, Set.of("files"));
    }

    private static List<FieldError> faults(ObjectNode config) {
        return catchThrowableOfType(ProblemException.class, () -> ModelConfig.require(config, SECRETS, Set.of("files")))
                .errors();
    }

    private static void assertFault(String more, String field) {
        assertThat(faults(config(more)))
                .as(more)
                .singleElement()
                .satisfies(fault -> assertThat(fault.field()).isEqualTo("config." + field))
                .satisfies(fault -> assertThat(fault.message()).doesNotContain("sk-"));
    }

    @Test
    void requiredMembersAreEnough() {
        ModelConfig config = read("{}");
        assertThat(config.url().uri()).hasToString("https://api.openai.com/v1");
        assertThat(config.contextTokens()).isEqualTo(32_000);
        assertThat(config.maxRequests()).isEqualTo(12);
        assertThat(config.images()).isTrue();
        assertThat(config.promptedTools()).isFalse();
        assertThat(config.silence()).isNull();
        assertThat(config.reasoning()).isEqualTo(new Reasoning.AsIs());
    }

    @Test
    void allMembersAreRead() {
        ModelConfig config = read("""
                {"base_url": "http://models.internal:9000/v1", "headers": {"X-Team": "red"}, "instructions": " Be kind. ",
                 "temperature": 0.5, "max_output_tokens": 100, "reasoning": "high", "tools": "prompt",
                 "tool_servers": ["files"], "context_tokens": 8000, "images": false, "max_requests": 3,
                 "silence_seconds": 30, "on_disconnect": "cancel"}""");
        assertThat(config.url().destination()).hasToString("models.internal:9000");
        assertThat(config.instructions()).isEqualTo("Be kind.");
        assertThat(config.temperature()).isEqualTo(0.5);
        assertThat(config.maxOutputTokens()).isEqualTo(100);
        assertThat(config.reasoning()).isEqualTo(new Reasoning.Effort("high"));
        assertThat(config.promptedTools()).isTrue();
        assertThat(config.toolServers()).containsExactly("files");
        assertThat(config.silence()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void providerAndModelAreRequiredAndAKeyWhereTheProviderWantsOne() {
        assertThat(faults(Json.MAPPER.createObjectNode()))
                .extracting(FieldError::field)
                .containsExactly("config.provider", "config.model", "config.api_key");
        ObjectNode local =
                Json.MAPPER.createObjectNode().put("provider", "ollama").put("model", "qwen3:8b");
        assertThat(ModelConfig.require(local, SECRETS, Set.of()).apiKey()).isNull();
        ObjectNode own =
                Json.MAPPER.createObjectNode().put("provider", "openai").put("model", "m");
        own.put("base_url", "http://127.0.0.1:8000/v1");
        assertThat(ModelConfig.require(own, SECRETS, Set.of()).apiKey()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"opnai,openai", "Anthropic,anthropic", "google-gemini,gemini"})
    void misspeltProvider_isUnknownNotMissing(String given, String meant) {
        assertThat(faults(config("{}").put("provider", given)))
                .first()
                .satisfies(fault -> assertThat(fault.message())
                        .startsWith("is not known; did you mean " + meant + "?")
                        .doesNotContain("required"));
        assertThat(faults(config("{}").put("model", "a model")))
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).startsWith("is no name of a model: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sk-secret", "Bearer ${secret:OPENAI_KEY}", "${secret:OPENAI_KEY}${secret:OPENAI_KEY}", ""})
    void aKeyIsTheNameOfASecretAndNothingElse(String key) {
        assertThat(faults(config("{}").put("api_key", key)))
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).doesNotContain("sk-secret"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"api_key\": \"${secret:OTHER}\"}|api_key",
                "{\"temprature\": 1}|temprature",
                "{\"model\": \"../x\"}|model",
                "{\"model\": \"a b\"}|model",
                "{\"base_url\": \"file:///etc/passwd\"}|base_url",
                "{\"base_url\": \"https://user:pw@models.example\"}|base_url",
                "{\"base_url\": \"https://models.example?api_key=x\"}|base_url",
                "{\"headers\": {\"Authorization\": \"Bearer x\"}}|headers.Authorization",
                "{\"headers\": {\"X-Key\": \"${secret:OTHER}\"}}|headers.X-Key",
                "{\"temperature\": 2.1}|temperature",
                "{\"temperature\": -0.1}|temperature",
                "{\"max_output_tokens\": 0}|max_output_tokens",
                "{\"reasoning\": 2000}|reasoning",
                "{\"tools\": \"some\"}|tools",
                "{\"tool_servers\": [\"other\"]}|tool_servers",
                "{\"tool_servers\": [\"files\", \"files\"]}|tool_servers",
                "{\"context_tokens\": 999}|context_tokens",
                "{\"images\": \"yes\"}|images",
                "{\"max_requests\": 0}|max_requests",
                "{\"max_requests\": 101}|max_requests",
                "{\"silence_seconds\": 3601}|silence_seconds",
            })
    void invalidFieldIsNamed(String more, String field) {
        assertFault(more, field);
    }

    @Test
    void limitsAreInclusive() {
        assertThat(
                        read("{\"temperature\": 2, \"max_requests\": 100, \"context_tokens\": 1000, \"silence_seconds\": 3600}")
                                .maxRequests())
                .isEqualTo(100);
        String longest = "x".repeat(ModelConfigReader.MAX_INSTRUCTIONS);
        assertThat(read("{\"instructions\": \"" + longest + "\"}").instructions())
                .hasSize(longest.length());
        assertFault("{\"instructions\": \"" + longest + "x\"}", "instructions");
    }

    @Test
    void reasoningFollowsTheProvider() {
        assertThat(reasoning("anthropic", "2048")).isEqualTo(new Reasoning.Budget(2_048));
        assertThat(reasoning("gemini", "1024")).isEqualTo(new Reasoning.Budget(1_024));
        assertThat(reasoning("gemini", "\"low\"")).isEqualTo(new Reasoning.Effort("low"));
        assertThat(reasoning("ollama", "true")).isEqualTo(new Reasoning.On());
        assertThat(reasoning("ollama", "false")).isEqualTo(new Reasoning.AsIs());
        assertFault("{\"provider\": \"anthropic\", \"reasoning\": 1023}", "reasoning");
        assertFault("{\"provider\": \"anthropic\", \"reasoning\": \"low\"}", "reasoning");
        assertFault("{\"provider\": \"anthropic\", \"reasoning\": 2000, \"max_output_tokens\": 2000}", "reasoning");
        assertFault("{\"provider\": \"ollama\", \"reasoning\": \"low\"}", "reasoning");
    }

    private static Reasoning reasoning(String provider, String value) {
        return read("{\"provider\": \"" + provider + "\", \"reasoning\": " + value + "}")
                .reasoning();
    }

    @Test
    void anthropicTakesNoTemperatureBesideReasoning() {
        String anthropic = "{\"provider\": \"anthropic\", \"reasoning\": 2000";
        assertThat(read(anthropic + "}").temperature()).isNull();
        assertFault(anthropic + ", \"temperature\": 0.5}", "temperature");
        assertThat(read("{\"provider\": \"anthropic\", \"temperature\": 0.5}").temperature())
                .isEqualTo(0.5);
    }
}
