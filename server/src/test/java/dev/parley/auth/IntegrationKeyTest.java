package dev.parley.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An integration's key reads the threads of its own source, and has no other right here. */
class IntegrationKeyTest {
    private static final String KEYS = "/api/v1/operator/integration-keys";
    private static final String THREADS = "/api/v1/chat/threads";
    private static final UUID OPERATOR = UUID.randomUUID();
    private static final String RELAY = "relay.key=with.dots+and/more";

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            "--operators",
            OPERATOR.toString(),
            "--integration-keys",
            "relay=" + RELAY + ",discord=ama_eat_discord-key",
            "--rate-limits",
            "off");

    private static final Api operator = server.api(OPERATOR, "Root");
    private static final Api olivia = server.api(UUID.randomUUID(), "Olivia");

    private final String fromSlack = thread("slack");
    private final String fromRelay = thread("relay");
    private final String fromNowhere = thread(null);

    private static String thread(@Nullable String source) {
        Api.Reply made = olivia.post(THREADS, "{\"title\":\"T\",\"initial_message\":\"hello\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        if (source != null) {
            server.setSource(made.text("thread_id"), source);
        }
        return THREADS + "/" + made.text("thread_id");
    }

    private static Api.Reply create(String source) {
        Api.Reply made = operator.post(KEYS, "{\"source\":\"" + source + "\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return made;
    }

    private static void assertDead(String key) {
        assertThat(server.api(key).get("/api/v1/auth/me").problem()).contains("unauthenticated");
    }

    @Test
    void aKeyIsShownOnceAndKeptAsAHash() {
        Api.Reply made = create("slack");
        String raw = made.text("raw_key");
        assertThat(raw).matches("parley_ik_[0-9a-f]{64}").startsWith(made.text("key_prefix"));
        assertThat(made.text("owner")).isEqualTo("user:" + OPERATOR);
        Api.Reply list = operator.get(KEYS);
        assertThat(list.toString()).contains(made.text("key_id")).doesNotContain(raw);
        assertThat(server.select("select k::text from integration_keys k"))
                .noneMatch(row -> row.contains(raw.substring("parley_ik_".length() + 4)));
    }

    @Test
    void theThreadsOfItsSourceAreReadable() throws IOException {
        Api slack = server.api(create("slack").text("raw_key"));
        assertThat(slack.get(fromSlack + "/messages").json().get("messages")).hasSize(1);
        assertThat(slack.get(fromSlack + "/events").json().get("events")).isNotEmpty();
        assertThat(slack.get(fromSlack).text("title")).isEqualTo("T");
        try (RawHttp stream = slack.open(fromSlack + "/events/stream")) {
            assertThat(stream.readHead().status()).isEqualTo(200);
        }
    }

    @Test
    void aListHoldsTheThreadsOfItsSource() {
        Api slack = server.api(create("slack").text("raw_key"));
        String list = slack.get(THREADS).toString();
        assertThat(list).contains(fromSlack.substring(THREADS.length() + 1));
        assertThat(list).doesNotContain(fromRelay.substring(THREADS.length() + 1));
        assertThat(list).doesNotContain(fromNowhere.substring(THREADS.length() + 1));
    }

    @Test
    void threadsAreListedByLastActivity() {
        Api discord = server.api("ama_eat_discord-key");
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            made.add(thread("discord"));
        }
        olivia.post(made.getFirst() + "/messages", "{\"content\":\"again\"}");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(listed(discord, "")).containsExactly(made.get(0), made.get(2), made.get(1)));
        Api.Reply first = discord.get(THREADS + "?limit=2");
        assertThat(listed(discord, "?limit=2&cursor=" + first.text("next_cursor")))
                .containsExactly(made.get(1));
    }

    private static List<String> listed(Api api, String query) {
        List<String> found = new ArrayList<>();
        api.get(THREADS + query)
                .json()
                .get("threads")
                .forEach(each -> found.add(THREADS + "/" + each.get("thread_id").asString()));
        return found;
    }

    /** An integration is no participant, so it has no unread messages; an empty stream would only mislead. */
    @Test
    void anIntegrationHasNoInbox() throws IOException {
        try (RawHttp stream = server.api(create("slack").text("raw_key")).open("/api/v1/chat/inbox/stream")) {
            assertThat(stream.readHead().status()).isEqualTo(403);
        }
    }

    @Test
    void otherThreadsAreNotFound() throws IOException {
        Api slack = server.api(create("slack").text("raw_key"));
        for (String thread : List.of(fromRelay, fromNowhere, THREADS + "/" + UUID.randomUUID())) {
            for (String read : List.of("", "/messages", "/messages?revisions=raw", "/events")) {
                assertThat(slack.get(thread + read).problem()).contains("thread-not-found");
            }
            try (RawHttp stream = slack.open(thread + "/events/stream")) {
                assertThat(stream.readAnswer().status()).isEqualTo(404);
            }
        }
    }

    @Test
    void aKeyCannotChangeThreads() {
        Api slack = server.api(create("slack").text("raw_key"));
        String before = olivia.get(fromSlack + "/messages").toString();
        String message =
                olivia.get(fromSlack + "/messages").json().at("/messages/0/id").asString();
        List<Api.Reply> answers = List.of(
                slack.post(fromSlack + "/messages", "{\"content\":\"hi\"}"),
                slack.post(fromSlack + "/agent-messages", "{\"content\":\"hi\"}"),
                slack.patch(fromSlack + "/messages/" + message, "{\"content\":\"hi\"}"),
                slack.delete(fromSlack + "/messages/" + message),
                slack.send("PUT", fromSlack + "/messages/" + message + "/reactions/ok", ""),
                slack.post(fromSlack + "/typing", "{}"),
                slack.patch(fromSlack, "{\"title\":\"hi\"}"),
                slack.patch(fromSlack + "/archive", "{}"),
                slack.post(fromSlack + "/mode", "{\"participation_mode\":\"open\"}"),
                slack.post(fromSlack + "/participants", "{\"sender_ids\":[\"user:" + UUID.randomUUID() + "\"]}"),
                slack.delete(fromSlack),
                slack.post(THREADS, "{}"),
                slack.get("/api/v1/owner/agents"),
                slack.post("/api/v1/owner/agents", "{}"),
                slack.get("/api/v1/owner/external-agents/tokens"));
        assertThat(answers).extracting(Api.Reply::status).containsOnly(403);
        for (String thread : List.of(fromSlack, fromRelay, THREADS + "/" + UUID.randomUUID())) {
            assertThat(List.of(
                            slack.patch(thread + "/read", "{}"),
                            slack.delete(thread + "/participants/integration:slack"),
                            slack.delete(thread + "/participants/user:" + UUID.randomUUID()),
                            slack.post(thread + "/typing", "{}")))
                    .as("for every thread")
                    .extracting(Api.Reply::status)
                    .containsOnly(403);
        }
        assertThat(olivia.get(fromSlack + "/messages").toString()).isEqualTo(before);
        assertThat(olivia.get(fromSlack).text("title")).isEqualTo("T");
    }

    @Test
    void aRevokedKeyIsDeadAtOnce() {
        Api.Reply made = create("slack");
        Api slack = server.api(made.text("raw_key"));
        assertThat(slack.get(fromSlack + "/messages").status()).isEqualTo(200);
        assertThat(operator.delete(KEYS + "/" + made.text("key_id")).status()).isEqualTo(200);
        assertDead(made.text("raw_key"));
        assertThat(operator.get(KEYS).toString()).doesNotContain(made.text("key_id"));
    }

    @Test
    void theStreamsOfARevokedKeyEnd() throws IOException {
        Api.Reply made = create("slack");
        try (RawHttp stream = server.api(made.text("raw_key")).open(fromSlack + "/events/stream")) {
            assertThat(stream.readHead().status()).isEqualTo(200);
            operator.delete(KEYS + "/" + made.text("key_id"));
            Api.readUntil(stream, "not yours any more");
        }
    }

    @Test
    void theStreamsOfADeletedThreadEnd() throws IOException {
        try (RawHttp stream = server.api(create("slack").text("raw_key")).open(fromSlack + "/events/stream");
                RawHttp configured = server.api(RELAY).open(fromRelay + "/events/stream")) {
            assertThat(stream.readHead().status()).isEqualTo(200);
            assertThat(configured.readHead().status()).isEqualTo(200);
            assertThat(olivia.delete(fromSlack).status()).isEqualTo(200);
            Api.readUntil(stream, "not yours any more");
            assertThat(olivia.post(fromRelay + "/messages", "{\"content\":\"still here\"}")
                            .status())
                    .isEqualTo(201);
            Api.readUntil(configured, "still here");
        }
    }

    @Test
    void configuredKeysMayHaveAnyForm() {
        assertThat(server.api(RELAY).get(fromRelay + "/messages").status()).isEqualTo(200);
        assertThat(server.api(RELAY).get(fromSlack + "/messages").problem()).contains("thread-not-found");
        assertThat(server.api("ama_eat_discord-key").get("/api/v1/auth/me").text("sender_id"))
                .isEqualTo("integration:discord");
        assertDead(RELAY + "x");
        assertDead(RELAY.substring(1));
        assertThat(operator.get(KEYS).toString()).doesNotContain(RELAY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slack",
                "slack=short",
                "user=0123456789abcdef",
                "system=0123456789abcdef",
                "bb=0123456789abcdef",
                "Slack=0123456789abcdef",
                "=0123456789abcdef",
                "slack=0123456789abcdef,slack=0123456789abcdefg",
                "slack=0123456789abcdef,relay=0123456789abcdef"
            })
    void unusableKeysStopTheStart(String keys) {
        assertThatThrownBy(() -> Config.load(List.of("--integration-keys", keys), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("integration-keys")
                .hasMessageNotContaining("0123456789abcdef");
    }
}
