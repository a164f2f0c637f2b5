package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.attachments.images.SampleImages;
import dev.parley.testing.Api;
import dev.parley.testing.CapturedLog;
import dev.parley.testing.Form;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.models.Hold;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cost of a request, the budget of its caller, and its further contents. */
class ModelCostTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static RunningServer server;

    @TempDir
    static Path folder;

    @BeforeAll
    static void start() throws IOException {
        Path file = Files.writeString(folder.resolve("agents.yaml"), """
                prices:
                  talker-1: {input: 3, output: 15, cached_input: 0.30, currency: USD}
                  ollama/talker-1: {input: 0, output: 0.1, currency: USD}
                budgets:
                  per_user: {amount: 0.01, currency: USD, period: day}
                """);
        server = ModelFixture.server("--agents-file", file.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<String> usage(ModelFixture asked) {
        return server.select("""
                select concat_ws('|', provider, model, input_tokens, output_tokens, coalesce(cached_tokens, 0),
                    trim_scale(cost), currency)
                from model_usage where thread_id = '%s' order by created_at, request""".formatted(asked.thread()));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void tokensAreCountedAndPricedToTheDigit(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            asked.model().next(Script.answer().text("Hi.").usage(1_000, 21, wire == Wire.OLLAMA ? 0 : 400));
            asked.ask("r", "Hi");
            String expected = switch (wire) {
                case OPENAI, GEMINI, ANTHROPIC ->
                    wire.name().toLowerCase(Locale.ROOT) + "|talker-1|1000|21|400|0.002235|USD";
                case OLLAMA -> "ollama|talker-1|1000|21|0|0.0000021|USD";
            };
            assertThat(usage(asked)).containsExactly(expected);
        }
    }

    @Test
    void usageReportedBeforeTheCancelIsCounted() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.ANTHROPIC, Map.of())) {
            asked.model().next(Script.answer().text("One ").hold(new Hold()).usage(700, 9));
            asked.start(asked.input("r", "Hi"));
            asked.caller()
                    .frames(
                            "/api/v1/agent/runs/" + asked.thread() + "/events?runId=r",
                            frame -> frame.type().equals("TEXT_MESSAGE_CONTENT"));
            asked.caller().api().post("/api/v1/agent/threads/" + asked.thread() + "/runs/r/cancel", "{}");
            await().atMost(LIMIT).until(() -> !usage(asked).isEmpty());
            assertThat(usage(asked)).singleElement().asString().startsWith("anthropic|talker-1|700|");
        }
    }

    @Test
    void exhaustedBudgetBlocksFurtherRequests() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of())) {
            asked.model()
                    .next(
                            Script.answer().text("One").usage(3_333, 0),
                            Script.answer().text("Two").usage(0, 1),
                            Script.answer().text("Three"));
            assertThat(ModelFixture.said(asked.ask("r1", "Hi"))).isEqualTo("One");
            assertThat(ModelFixture.said(asked.ask("r2", "Just below it"))).isEqualTo("Two");
            assertThat(asked.failure("r3").get("code").asString()).isEqualTo("budget_exceeded");
            assertThat(asked.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void anImageGoesAsTheBytesItIs(Wire wire) {
        byte[] jpeg = SampleImages.jpeg(40, 30);
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            asked.model().next(Script.answer().text("A cat."));
            Api.Reply uploaded = Form.file("cat.jpg", "image/jpeg", jpeg)
                    .uploadBy(asked.caller().api());
            Map<String, Object> input = asked.input("r", "");
            input.put("messages", AgentCaller.lookingAt(uploaded.text("url"), "image/jpeg", "look", "Look"));
            assertThat(ModelFixture.said(asked.ask(input))).isEqualTo("A cat.");
            assertThat(asked.requests().getFirst().text())
                    .contains(Base64.getEncoder().encodeToString(jpeg));
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void keysAppearInTheRequestOnly(Wire wire) {
        try (CapturedLog log = new CapturedLog("ROOT");
                ModelFixture asked = ModelFixture.register(
                        server, wire, Map.of("headers", Map.of("X-Api-Key-2", "${secret:provider-key}")))) {
            asked.model()
                    .next(
                            Script.answer().status(401, Map.of(), "Bad key " + ModelFixture.KEY),
                            Script.answer().text("Hi."));
            asked.failure("r1");
            asked.ask("r2", "Hi");
            assertThat(asked.requests().getLast().header("x-api-key-2")).contains(ModelFixture.KEY);
            assertThat(log.lines()).noneMatch(line -> line.contains(ModelFixture.KEY));
            assertThat(log.lines())
                    .as("a provider's words may quote the prompt")
                    .noneMatch(line -> line.contains("Bad key"));
            assertThat(server.api(ModelFixture.OPERATOR, "Root")
                            .get("/api/v1/owner/agents/" + asked.agent())
                            .json()
                            .toString())
                    .contains("${secret:PROVIDER_KEY}")
                    .doesNotContain(ModelFixture.KEY);
            for (String table :
                    List.of("agents", "runs", "entries", "events", "run_contexts", "context_blocks", "model_usage")) {
                assertThat(server.select("select t::text from " + table + " t"))
                        .as(table)
                        .noneMatch(row -> row.contains(ModelFixture.KEY));
            }
        }
    }
}
