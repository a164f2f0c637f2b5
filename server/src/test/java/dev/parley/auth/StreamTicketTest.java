package dev.parley.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.CapturedLog;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawHttp;
import dev.parley.testkit.TestClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ticket opens its own stream for its own holder, while the stream lives and for a minute longer. */
class StreamTicketTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String TICKETS = "/api/v1/auth/stream-tickets";
    private static final String INBOX = "/api/v1/chat/inbox/stream";
    private static final UUID OPERATOR = UUID.randomUUID();
    private static final TestClock CLOCK = TestClock.at(NOON);

    @AutoClose
    private static final RunningServer server =
            RunningServer.start(CLOCK, "--operators", OPERATOR.toString(), "--limit-heartbeat", "200ms");

    private static final Api anonymous = server.api(null);

    private Api olivia;
    private String thread;
    private String stream;

    @BeforeEach
    void newThread() {
        CLOCK.set(NOON);
        olivia = server.api(UUID.randomUUID(), "Olivia");
        thread = "/api/v1/chat/threads/"
                + olivia.post("/api/v1/chat/threads", "{}").text("thread_id");
        stream = thread + "/events/stream";
    }

    private static String ticket(Api holder, String path) {
        Api.Reply made = holder.post(TICKETS, "{\"path\":\"" + path + "\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return made.text("ticket");
    }

    /** The status of a request that opens a stream with a ticket and no other credential. */
    private static int open(String path, String ticket) throws IOException {
        try (RawHttp connection = anonymous.open(path + "?ticket=" + ticket)) {
            return connection.readHead().status();
        }
    }

    @Test
    void aTicketOpensItsStreamAsItsHolder() throws IOException {
        String ticket = ticket(olivia, stream);
        try (RawHttp connection = anonymous.open(stream + "?after_seq=0&ticket=" + ticket)) {
            assertThat(connection.readHead().status()).isEqualTo(200);
            olivia.post(thread + "/messages", "{\"content\":\"for the holder\"}");
            Api.readUntil(connection, "for the holder");
        }
        assertThat(open(stream, ticket)).as("a reconnect").isEqualTo(200);
        assertThat(open(INBOX, ticket(olivia, INBOX))).isEqualTo(200);
    }

    @Test
    void aTicketOpensNoOtherRoute() throws IOException {
        String ticket = ticket(olivia, stream);
        String other = "/api/v1/chat/threads/"
                + olivia.post("/api/v1/chat/threads", "{}").text("thread_id");
        for (String path : List.of(other + "/events/stream", INBOX, stream.replace("events", "%65vents"))) {
            assertThat(open(path, ticket)).as(path).isEqualTo(401);
        }
        String query = "?ticket=" + ticket;
        for (String path : List.of(thread, thread + "/messages", thread + "/events", "/api/v1/auth/me")) {
            assertThat(anonymous.get(path + query).status()).as(path).isEqualTo(401);
        }
        assertThat(anonymous
                        .post(thread + "/messages" + query, "{\"content\":\"x\"}")
                        .status())
                .isEqualTo(401);
        assertThat(anonymous
                        .post(TICKETS + query, "{\"path\":\"" + stream + "\"}")
                        .status())
                .isEqualTo(401);
        assertThat(anonymous.delete(thread + query).status()).isEqualTo(401);
        assertThat(anonymous.post(stream + query, "{}").status()).isEqualTo(405);
        assertThat(server.api(ticket).get("/api/v1/auth/me").status())
                .as("a ticket is no bearer token")
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "\"\"",
                "\"/\"",
                "\"/api/v1/auth/me\"",
                "\"/api/v1/chat/threads\"",
                "\"/api/v1/chat/threads/x\"",
                "\"/api/v1/chat/threads/x/events\"",
                "\"/api/v1/chat/threads//events/stream\"",
                "\"/api/v1/chat/threads/x/events/stream/\"",
                "\"/api/v1/chat/threads/x/events/stream?after_seq=1\"",
                "\"api/v1/chat/inbox/stream\"",
                "\"//evil.example/api/v1/chat/inbox/stream\"",
                "\"https://evil.example/api/v1/chat/inbox/stream\""
            })
    void ticketsAreForStreamsOnly(String path) {
        Api.Reply answer = olivia.post(TICKETS, "{\"path\":" + path + "}");
        assertThat(answer.problem()).as(answer.toString()).contains("invalid-fields");
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo("path");
    }

    @Test
    void aTicketHasOnlyTheRightsOfItsHolder() throws IOException {
        Api mallory = server.api(UUID.randomUUID(), "Mallory");
        assertThat(open(stream, ticket(mallory, stream)))
                .as("a stranger's thread")
                .isEqualTo(404);
        UUID bob = UUID.randomUUID();
        olivia.post(thread + "/participants", "{\"sender_ids\":[\"user:" + bob + "\"]}");
        String ticket = ticket(server.api(bob, "Bob"), stream);
        assertThat(open(stream, ticket)).isEqualTo(200);
        olivia.delete(thread + "/participants/user:" + bob);
        assertThat(open(stream, ticket)).as("after the removal").isEqualTo(404);
    }

    @Test
    void anUnusedTicketExpiresAfterAMinute() throws IOException {
        String ticket = ticket(olivia, stream);
        CLOCK.advance(Duration.ofSeconds(59));
        assertThat(open(stream, ticket)).isEqualTo(200);
        CLOCK.advance(Duration.ofSeconds(1));
        assertThat(open(stream, ticket)).isEqualTo(401);
    }

    @Test
    void anOpenStreamKeepsItsTicketAlive() throws IOException {
        String ticket = ticket(olivia, stream);
        try (RawHttp connection = anonymous.open(stream + "?ticket=" + ticket)) {
            assertThat(connection.readHead().status()).isEqualTo(200);
            CLOCK.advance(Duration.ofSeconds(50));
            // The server checks its open streams every two seconds.
            await().atMost(LIMIT)
                    .until(() -> server.select("select 1 from stream_tickets where expires_at >= '"
                                            + NOON.plusSeconds(110) + "'")
                                    .size()
                            == 1);
        }
        CLOCK.set(NOON.plusSeconds(109));
        assertThat(open(stream, ticket)).as("a reconnect within a minute").isEqualTo(200);
    }

    @Test
    void aFailedCheckDoesNotPreventTheOthers() throws IOException {
        UUID bob = UUID.randomUUID();
        olivia.post(thread + "/participants", "{\"sender_ids\":[\"user:" + bob + "\"]}");
        try (RawHttp connection = anonymous.open(stream + "?ticket=" + ticket(server.api(bob, "Bob"), stream))) {
            assertThat(connection.readHead().status()).isEqualTo(200);
            server.execute("alter table stream_tickets rename to unreachable");
            try {
                olivia.delete(thread + "/participants/user:" + bob);
                Api.readUntil(connection, "not yours any more");
            } finally {
                server.execute("alter table unreachable rename to stream_tickets");
            }
        }
    }

    @Test
    void aTicketIsStoredAsAHash() {
        String ticket = ticket(olivia, stream);
        assertThat(ticket).matches("tkt_[0-9a-f]{64}");
        assertThat(server.select("select t::text from stream_tickets t"))
                .isNotEmpty()
                .noneMatch(row -> row.contains(ticket.substring(4)));
    }

    @Test
    void anAgentsTicketDiesWithItsToken() throws IOException {
        String agent = olivia.post("/api/v1/owner/agents", "{}").text("agent_id");
        olivia.post(thread + "/participants", "{\"sender_ids\":[\"agent:" + agent + "\"]}");
        Api.Reply token = olivia.post("/api/v1/owner/external-agents/tokens", "{\"agent_actor_id\":\"" + agent + "\"}");
        String ticket = ticket(server.api(token.text("raw_token")), stream);
        try (RawHttp connection = anonymous.open(stream + "?ticket=" + ticket)) {
            assertThat(connection.readHead().status()).isEqualTo(200);
            olivia.delete("/api/v1/owner/external-agents/tokens/" + token.text("token_id"));
            assertThat(open(stream, ticket)).isEqualTo(401);
            Api.readUntil(connection, "not yours any more");
        }
    }

    @Test
    void anAgentsTicketHasTheScopesOfItsToken() throws IOException {
        String agent = olivia.post("/api/v1/owner/agents", "{}").text("agent_id");
        olivia.post(thread + "/participants", "{\"sender_ids\":[\"agent:" + agent + "\"]}");
        Api.Reply token = olivia.post(
                "/api/v1/owner/external-agents/tokens",
                "{\"agent_actor_id\":\"" + agent + "\",\"scopes\":[\"speak\"]}");
        assertThat(open(stream, ticket(server.api(token.text("raw_token")), stream)))
                .isEqualTo(403);
    }

    @Test
    void anIntegrationsTicketDiesWithItsKey() throws IOException {
        Api operator = server.api(OPERATOR, "Root");
        server.setSource(thread.substring(thread.lastIndexOf('/') + 1), "slack");
        Api.Reply key = operator.post("/api/v1/operator/integration-keys", "{\"source\":\"slack\"}");
        String ticket = ticket(server.api(key.text("raw_key")), stream);
        assertThat(open(stream, ticket)).isEqualTo(200);
        operator.delete("/api/v1/operator/integration-keys/" + key.text("key_id"));
        assertThat(open(stream, ticket)).isEqualTo(401);
    }

    @Test
    void aHeaderWinsOverATicket() throws IOException {
        String ticket = ticket(olivia, stream);
        try (RawHttp connection = anonymous.open(stream + "?ticket=" + ticket, "Authorization: Bearer not.a.token")) {
            assertThat(connection.readAnswer().status()).isEqualTo(401);
        }
    }

    @Test
    void noLogEverHoldsATicket() throws IOException {
        try (CapturedLog log = new CapturedLog("ROOT")) {
            String ticket = ticket(olivia, stream);
            assertThat(open(stream, ticket)).isEqualTo(200);
            assertThat(open(INBOX, ticket)).isEqualTo(401);
            anonymous.get("/nowhere?ticket=" + ticket);
            await().atMost(LIMIT)
                    .until(() -> log.lines().stream().anyMatch(line -> line.startsWith("GET /nowhere 404")));
            assertThat(log.lines()).noneMatch(line -> line.contains(ticket.substring(0, 12)));
        }
    }
}
