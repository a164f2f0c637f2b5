package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Imported messages keep their times, as long as time does not run backwards. */
class SessionImportTest {
    @AutoClose
    private static final RunningServer server = Session.start();

    private static String event(String id, String createdAt) {
        return "{\"message\":" + Session.user(id, "said " + id) + ",\"created_at\":" + createdAt + "}";
    }

    private static Api.Reply bringIn(Session session, String... events) {
        return bringInAs(session, "Old times", events);
    }

    private static Api.Reply bringInAs(Session session, String title, String... events) {
        return session.api()
                .post(
                        session.path("/import"),
                        "{\"title\":\"" + title + "\",\"chat_events\":[" + String.join(",", events) + "]}");
    }

    private static List<Instant> times(Session session) {
        return session.rows()
                .valueStream()
                .map(row -> Instant.parse(row.path("created_at").asString()))
                .toList();
    }

    @Test
    void timesAreKeptAndNeverRunBackwards() {
        Session session = Session.fresh(server);
        Api.Reply reply = bringIn(
                session,
                event("m1", "1700000000"),
                event("m2", "\"2023-11-14T22:14:00Z\""),
                event("m3", "1600000000"),
                event("m4", "99999999999"));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        List<Instant> times = times(session);
        assertThat(times.subList(0, 3))
                .containsExactly(
                        Instant.ofEpochSecond(1_700_000_000),
                        Instant.parse("2023-11-14T22:14:00Z"),
                        Instant.parse("2023-11-14T22:14:00Z"));
        assertThat(times.get(3)).isBetween(Instant.now().minus(Duration.ofMinutes(5)), Instant.now());
        JsonNode thread =
                session.api().get("/api/v1/chat/threads/" + session.thread()).json();
        assertThat(thread.path("title").asString()).isEqualTo("Old times");
        assertThat(Instant.parse(thread.path("created_at").asString())).isEqualTo(Instant.ofEpochSecond(1_600_000_000));
        assertThat(bringIn(session, event("m1", "1700000000")).status()).isEqualTo(200);
    }

    @Test
    void titleOverTheLimitIsRefusedForEverySession() {
        Session session = Session.fresh(server);
        String event = event("m1", "1700000000");

        assertThat(bringInAs(session, "中".repeat(201), event).toString())
                .contains("400")
                .contains("title");
        assertThat(server.count("select count(*) from thread_aliases where alias = '" + session.id() + "'"))
                .isZero();
        assertThat(bringInAs(session, "中".repeat(200), event).status()).isEqualTo(201);
        assertThat(bringInAs(session, "中".repeat(201), event).status()).isEqualTo(400);
    }

    @Test
    void messagesOwnSecondsCountWithoutAnotherTime() {
        Session session = Session.fresh(server);
        bringIn(session, "{\"message\":{\"id\":\"a\",\"role\":\"user\",\"created_at\":1700000000}}");
        assertThat(times(session)).containsExactly(Instant.ofEpochSecond(1_700_000_000));
        assertThat(bringIn(session, "{\"message\":{\"id\":\"b\",\"role\":\"user\"}}")
                        .problem())
                .contains("invalid-fields");
        assertThat(bringIn(session, event("c", "\"yesterday\"")).problem()).contains("invalid-fields");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "253402300800",
                "9223372036854775807",
                "1e30",
                "1e400",
                "1e999999999",
                "\"9999-12-31T23:59:59-18:00\"",
                "\"+294277-01-01T00:00:00Z\"",
                "\"+999999999-12-31T23:59:59-18:00\""
            })
    void futureTimeBecomesNow(String time) {
        Session session = Session.fresh(server);
        Api.Reply reply = bringIn(session, event("m", time));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        assertThat(times(session).getFirst()).isBetween(Instant.now().minus(Duration.ofMinutes(5)), Instant.now());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-62135596801",
                "-9223372036854775808",
                "-1e30",
                "-1e400",
                "\"0001-01-01T00:00:00+00:01\"",
                "\"-4713-01-01T00:00:00Z\"",
                "\"-999999999-01-01T00:00:00+18:00\"",
                "\"\"",
                "true",
                "null"
            })
    void timeBeforeTheFirstDayIsRefused(String time) {
        Session session = Session.fresh(server);
        Api.Reply reply = bringIn(session, event("m", time));
        assertThat(reply.problem()).as(reply.toString()).contains("invalid-fields");
        assertThat(reply.json().path("errors").get(0).path("field").asString()).isEqualTo("chat_events[0].created_at");
    }

    @Test
    void firstDayIsAccepted() {
        Session session = Session.fresh(server);
        assertThat(bringIn(session, event("m", "-62135596800"), event("n", "1e-999999999"))
                        .status())
                .isEqualTo(201);
        assertThat(times(session)).containsExactly(Instant.parse("0001-01-01T00:00:00Z"), Instant.EPOCH);
    }

    @Test
    void importNeedsTheRightToManage() {
        ChatCaller owner = ChatCaller.user(server, "Olivia");
        ChatCaller.Agent runner = owner.newAgent("Runner", "observe", "speak", "run");
        Session session = new Session(server.api(runner.token().rawToken()), "past-" + UUID.randomUUID());
        assertThat(bringIn(session, event("m", "1700000000")).problem()).contains("forbidden");
    }
}
