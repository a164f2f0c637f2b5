package dev.parley.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.CapturedLog;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestClock;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of an external agent's token from its creation to its end. */
class AgentTokenTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final String TOKENS = "/api/v1/owner/external-agents/tokens";
    private static final String AGENTS = "/api/v1/owner/agents";
    private static final TestClock CLOCK = TestClock.at(NOON);

    @AutoClose
    private static final RunningServer server = RunningServer.start(CLOCK, "--rate-limits", "off");

    private Api olivia;
    private String agent;

    @BeforeEach
    void newAgent() {
        CLOCK.set(NOON);
        olivia = server.api(UUID.randomUUID(), "Olivia");
        agent = olivia.post(AGENTS, "{\"display_name\":\"Robin\"}").text("agent_id");
    }

    private String body(String more) {
        return "{\"agent_actor_id\":\"" + agent + "\"" + more + "}";
    }

    private Api.Reply create() {
        Api.Reply made = olivia.post(TOKENS, body(""));
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return made;
    }

    private static Api.Reply me(String token) {
        return server.api(token).get("/api/v1/auth/me");
    }

    private static void assertDead(String token) {
        Api.Reply answer = me(token);
        assertThat(answer.problem()).as(answer.toString()).contains("unauthenticated");
    }

    @Test
    void aTokenIsShownOnceAndActsAsItsAgent() {
        Api.Reply made = create();
        String raw = made.text("raw_token");
        assertThat(raw).matches("ama_eat_[0-9a-f]{64}");
        assertThat(raw).startsWith(made.text("token_prefix"));
        assertThat(made.text("token_prefix")).hasSize("ama_eat_".length() + 4);
        assertThat(made.text("agent_display_name")).isEqualTo("Robin");
        assertThat(made.text("agent_actor_id")).isEqualTo("agent:" + agent);
        assertThat(made.json().get("expires_at").isNull()).isTrue();
        assertThat(me(raw).text("sender_id")).isEqualTo("agent:" + agent);

        Api.Reply list = olivia.get(TOKENS);
        assertThat(list.json().get("tokens")).hasSize(1);
        assertThat(list.json().at("/tokens/0/token_id").asString()).isEqualTo(made.text("token_id"));
        assertThat(list.json().at("/tokens/0/created_at")).isEqualTo(made.json().get("created_at"));
        assertThat(list.json().at("/tokens/0/raw_token").isNull()).isTrue();
        assertThat(list.toString()).doesNotContain(raw);
    }

    @Test
    void aTokenIsStoredAsAHash() throws NoSuchAlgorithmException {
        Api.Reply made = create();
        String raw = made.text("raw_token");
        String row = server.select(
                        "select t::text from agent_tokens t where token_id = '" + made.text("token_id") + "'")
                .getFirst();
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(raw.getBytes(StandardCharsets.US_ASCII)));
        assertThat(row).contains(hash).doesNotContain(raw.substring("ama_eat_".length() + 4));
    }

    @Test
    void anAgentHasAtMostTwoLiveTokens() {
        String first = create().text("token_id");
        create();
        assertThat(olivia.post(TOKENS, body("")).problem()).contains("too-many-tokens");
        assertThat(olivia.get(TOKENS).json().get("tokens")).hasSize(2);
        assertThat(olivia.delete(TOKENS + "/" + first).status()).isEqualTo(200);
        create();
        assertThat(olivia.post(TOKENS, body("")).status()).isEqualTo(409);
    }

    @Test
    void expiredTokensDoNotCount() {
        String expiry = ",\"expires_at\":\"" + NOON.plusSeconds(60) + "\"";
        String raw = olivia.post(TOKENS, body(expiry)).text("raw_token");
        olivia.post(TOKENS, body(expiry));
        assertThat(olivia.post(TOKENS, body("")).status()).isEqualTo(409);
        CLOCK.advance(Duration.ofSeconds(59));
        assertThat(me(raw).status()).isEqualTo(200);
        CLOCK.advance(Duration.ofSeconds(1));
        assertDead(raw);
        create();
        create();
        assertThat(olivia.post(TOKENS, body("")).status()).isEqualTo(409);
    }

    @Test
    void creationsAtTheSameTimeNeverMakeThree() throws Exception {
        try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                answers.add(many.submit(() -> olivia.post(TOKENS, body("")).status()));
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> answer : answers) {
                statuses.add(answer.get());
            }
            assertThat(statuses).containsOnly(201, 409);
            assertThat(statuses.stream().filter(status -> status == 201)).hasSize(2);
        }
        assertThat(olivia.get(TOKENS).json().get("tokens")).hasSize(2);
    }

    @Test
    void aRevokedTokenIsDeadAtOnce() {
        Api.Reply accepted = create();
        Api.Reply made = create();
        assertThat(me(made.text("raw_token")).status()).isEqualTo(200);
        String path = TOKENS + "/" + made.text("token_id");
        assertThat(olivia.delete(path).status()).isEqualTo(200);
        assertDead(made.text("raw_token"));
        assertThat(me(accepted.text("raw_token")).status()).isEqualTo(200);
        assertThat(olivia.get(TOKENS).json().get("tokens")).hasSize(1);
        assertThat(olivia.delete(path).problem()).contains("token-not-found");
    }

    @Test
    void tokensOfADisabledAgentAreDead() {
        String raw = create().text("raw_token");
        olivia.patch(AGENTS + "/" + agent, "{\"is_active\":false}");
        assertDead(raw);
        olivia.patch(AGENTS + "/" + agent, "{\"is_active\":true}");
        assertThat(me(raw).status()).isEqualTo(200);
    }

    @Test
    void theTokensOfADeletedAgentAreDead() {
        String raw = create().text("raw_token");
        assertThat(olivia.delete(AGENTS + "/" + agent).status()).isEqualTo(200);
        assertDead(raw);
        assertThat(olivia.get(TOKENS).json().get("tokens")).isEmpty();
        assertThat(olivia.post(TOKENS, body("")).problem()).contains("agent-not-found");
    }

    @Test
    void tokensBelongToTheirOwnerAlone() {
        Api mallory = server.api(UUID.randomUUID(), "Mallory");
        String token = create().text("token_id");
        assertThat(mallory.post(TOKENS, body("")).problem()).contains("agent-not-found");
        assertThat(mallory.delete(TOKENS + "/" + token).problem()).contains("token-not-found");
        assertThat(mallory.get(TOKENS).json().get("tokens")).isEmpty();
        olivia.patch(AGENTS + "/" + agent, "{\"visibility\":\"shared\"}");
        assertThat(mallory.post(TOKENS, body("")).problem())
                .as("sharing an agent does not share its identity")
                .contains("agent-not-found");
        assertThat(olivia.delete(TOKENS + "/" + UUID.randomUUID()).problem()).contains("token-not-found");
        assertThat(olivia.delete(TOKENS + "/x").problem()).contains("token-not-found");
    }

    @Test
    void anAgentMakesNoTokensAndOwnsNoAgents() {
        String everything = ",\"scopes\":[\"observe\",\"speak\",\"manage_thread\",\"run\"]";
        Api robin = server.api(olivia.post(TOKENS, body(everything)).text("raw_token"));
        for (String path : List.of(AGENTS, TOKENS, AGENTS + "/" + agent)) {
            assertThat(robin.get(path).problem()).as(path).contains("forbidden");
        }
        assertThat(robin.post(TOKENS, body("")).problem()).contains("forbidden");
        assertThat(robin.post(AGENTS, "{}").problem()).contains("forbidden");
        assertThat(robin.patch(AGENTS + "/" + agent, "{}").problem()).contains("forbidden");
        assertThat(robin.delete(AGENTS + "/" + agent).problem()).contains("forbidden");
        assertThat(robin.delete(TOKENS + "/" + agent).problem()).contains("forbidden");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"expires_at\":\"2029-12-31T00:00:00Z\"",
                "\"expires_at\":\"2030-01-01T12:00:00Z\"",
                "\"expires_at\":\"+1000000000-12-31T23:59:59.999999999Z\"",
                "\"expires_at\":\"tomorrow\"",
                "\"expires_at\":5",
                "\"expires_at\":4102444800",
                "\"expires_at\":4102444800.5",
                "\"expires_at\":\"4102444800\"",
                "\"expires_at\":\"2031-01-01T12:00:00\"",
                "\"expires_at\":\"\"",
                "\"expires_at\":true",
                "\"expires_at\":{}",
                "\"scopes\":[]",
                "\"scopes\":[\"everything\"]",
                "\"scopes\":[null]",
                "\"agent_display_name\":\" \"",
                "\"agent_display_name\":\"a\\u0000b\"",
                "\"agent_actor_id\":\"user:00000000-0000-0000-0000-000000000000\"",
                "\"agent_actor_id\":\"robin\"",
                "\"agent_actor_id\":null"
            })
    void invalidRequestsAreRefused(String member) {
        String wanted = member.startsWith("\"agent_actor_id") ? "{" + member + "}" : body("," + member);
        Api.Reply answer = olivia.post(TOKENS, wanted);
        assertThat(answer.problem()).as(answer.toString()).contains("invalid-fields");
        assertThat(answer.json().at("/errors/0/field").asString())
                .startsWith(member.substring(1, member.indexOf('"', 1)));
        assertThat(olivia.get(TOKENS).json().get("tokens")).isEmpty();
    }

    @Test
    void bothFormsOfAgentIdsAndScopesAreAccepted() {
        Api.Reply made = olivia.post(
                TOKENS,
                "{\"agent_actor_id\":\"agent:" + agent
                        + "\",\"agent_display_name\":\" CI \",\"scopes\":[\"speak\",\"can_read\",\"speak\"]}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        assertThat(made.json().get("scopes").toString()).isEqualTo("[\"observe\",\"speak\"]");
        assertThat(made.text("agent_display_name")).isEqualTo("CI");
    }

    @Test
    void aRepeatedCreationMakesNoTokenAndShowsNoSecretAgain() {
        String key = "Idempotency-Key: k-" + UUID.randomUUID();
        Api.Reply first = olivia.post(TOKENS, body(",\"agent_display_name\":\"CI\""), key);
        assertThat(first.status()).isEqualTo(201);
        // The order of members and ignored members do not change the body.
        Api.Reply again = olivia.post(
                TOKENS, "{ \"agent_display_name\":\"CI\", \"note\":1, \"agent_actor_id\":\"" + agent + "\"}", key);
        assertThat(again.status()).as(again.toString()).isEqualTo(200);
        assertThat(again.text("token_id")).isEqualTo(first.text("token_id"));
        assertThat(again.json().get("raw_token").isNull()).isTrue();
        assertThat(olivia.get(TOKENS).json().get("tokens")).hasSize(1);
        assertThat(olivia.post(TOKENS, body(""), key).problem()).contains("key-reused");
        create();
        assertThat(olivia.post(TOKENS, body(",\"agent_display_name\":\"CI\""), key)
                        .status())
                .as("the limit does not come before the first answer")
                .isEqualTo(200);
        olivia.delete(TOKENS + "/" + first.text("token_id"));
        assertThat(olivia.post(TOKENS, body(",\"agent_display_name\":\"CI\""), key)
                        .problem())
                .contains("token-not-found");
    }

    @Test
    void aRefusedCreationDoesNotUseItsKeyUp() {
        create();
        String second = create().text("token_id");
        String key = "Idempotency-Key: k-" + UUID.randomUUID();
        assertThat(olivia.post(TOKENS, body(""), key).status()).isEqualTo(409);
        olivia.delete(TOKENS + "/" + second);
        assertThat(olivia.post(TOKENS, body(""), key).status()).isEqualTo(201);
    }

    @Test
    void theSameKeyOfTwoOwnersIsTwoKeys() {
        String key = "Idempotency-Key: mine";
        Api bob = server.api(UUID.randomUUID(), "Bob");
        String his = bob.post(AGENTS, "{\"display_name\":\"Robin\"}", key).text("agent_id");
        assertThat(olivia.post(AGENTS, "{\"display_name\":\"Robin\"}", key).text("agent_id"))
                .isNotEqualTo(his);
    }

    @Test
    void theLastUseOfATokenIsListed() {
        Api.Reply made = create();
        assertThat(olivia.get(TOKENS).json().at("/tokens/0/last_used_at").isNull())
                .isTrue();
        CLOCK.advance(Duration.ofSeconds(5));
        assertThat(me(made.text("raw_token")).status()).isEqualTo(200);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> olivia.get(TOKENS)
                        .json()
                        .at("/tokens/0/last_used_at")
                        .asString("")
                        .equals(NOON.plusSeconds(5).toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "g", "00000000000000000000000000000000000000000000000000000000000000000"})
    void aLookalikeOfATokenIsRefused(String tail) {
        assertDead("ama_eat_" + tail);
        assertDead("ama_eat_" + "0".repeat(63) + tail);
        assertDead("AMA_EAT_" + "0".repeat(64));
    }

    @Test
    void aTokenWithOneWrongDigitIsRefused() {
        String raw = create().text("raw_token");
        char last = raw.charAt(raw.length() - 1);
        assertDead(raw.substring(0, raw.length() - 1) + (last == '0' ? '1' : '0'));
        assertDead(raw.toUpperCase(java.util.Locale.ROOT));
        assertDead(raw + "0");
    }

    @Test
    void noLogEverHoldsAToken() {
        try (CapturedLog log = new CapturedLog("ROOT")) {
            Api.Reply made = create();
            String raw = made.text("raw_token");
            assertThat(me(raw).status()).isEqualTo(200);
            server.api(raw).post("/api/v1/chat/threads", "{");
            server.api(raw).get("/api/v1/chat/threads/" + UUID.randomUUID() + "/messages");
            olivia.delete(TOKENS + "/" + made.text("token_id"));
            assertDead(raw);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> log.lines().stream().anyMatch(line -> line.contains("/auth/me 401")));
            assertThat(log.lines()).noneMatch(line -> line.contains(raw.substring(0, "ama_eat_".length() + 8)));
        }
    }
}
