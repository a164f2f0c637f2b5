package dev.parley.erasure;

import static dev.parley.erasure.ErasingServer.json;
import static dev.parley.erasure.ErasingServer.must;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.images.SampleImages;
import dev.parley.erasure.ErasingServer.Person;
import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import dev.parley.testing.Api;
import dev.parley.testing.Form;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The reach of a person's erasure among others, and its limits. */
class ErasedPersonTest {
    private static final ErasingServer SERVER = ErasingServer.start();

    private final String word = "zq" + UUID.randomUUID().toString().substring(24);
    private final Person ada = SERVER.person("Ada 麒麟" + word);
    private final Person bob = SERVER.person("Bob");

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static List<String> contents(Person reader, String thread) {
        return ErasingServer.messages(reader, thread).stream()
                .map(message -> message.path("content").asString())
                .toList();
    }

    @Test
    void erasureBeforeATimeRemovesMessagesOnly() {
        String thread = ErasingServer.thread(ada, bob.actor());
        JsonNode agent = must(ada.api().post("/api/v1/owner/agents", json(Map.of("display_name", "Helper"))));
        String file = "/storage/v1/object/agent-files/agent-inputs/" + ada.id() + "/kept/note.txt";
        must(ada.api().send("POST", file, "text/plain", "العربية".getBytes(StandardCharsets.UTF_8)));
        ErasingServer.post(ada, thread, "the old words 🦄");
        Instant before = Instant.parse(must(ada.api()
                        .post("/api/v1/chat/threads/" + thread + "/messages", json(Map.of("content", "the new words"))))
                .path("created_at")
                .asString());

        SERVER.erase(Map.of("actor", ada.actor(), "before", before.toString()));

        assertThat(contents(ada, thread)).containsExactly("", "the new words");
        assertThat(SERVER.running().select("select display_name from participants where actor = '" + ada.actor() + "'"))
                .containsOnly("Ada 麒麟" + word);
        assertThat(SERVER.running().select("select display_name from known_names where actor = '" + ada.actor() + "'"))
                .containsExactly("Ada 麒麟" + word);
        assertThat(SERVER.running()
                        .select("select display_name || ' ' || is_active from agents where agent_id::text = '"
                                + agent.path("agent_id").asString() + "'"))
                .containsExactly("Helper true");
        assertThat(ada.api().get(file).status()).isEqualTo(200);
    }

    @Test
    void longestParticipantManagesAfterTheLastManager() {
        Person cleo = SERVER.person("Cleo");
        String thread = ErasingServer.thread(ada, bob.actor());
        String path = "/api/v1/chat/threads/" + thread;
        must(ada.api().post(path + "/participants", json(Map.of("sender_ids", List.of(cleo.actor())))));
        String managers = "select actor from participants where thread_id = '" + thread + "' and capabilities & 8 <> 0";
        assertThat(SERVER.running().select(managers)).containsExactly(ada.actor());

        SERVER.erase(Map.of("actor", ada.actor()));

        assertThat(SERVER.running().select(managers)).containsExactly(bob.actor());
        must(bob.api().patch(path, "{\"title\":\"ours\"}"));
    }

    /** A deleted message still titles its thread, so the erasure has to reach the title. */
    @Test
    void titleOfADeletedMessageGoesWithItsErasure() {
        String thread = ErasingServer.thread(ada, bob.actor());
        String path = "/api/v1/chat/threads/" + thread;
        String message =
                ErasingServer.post(ada, thread, "秘密 " + word).path("id").asString();
        must(ada.api().delete(path + "/messages/" + message));
        assertThat(must(bob.api().get(path)).path("title").asString()).isEqualTo("秘密 " + word);

        SERVER.erase(Map.of("actor", ada.actor()));

        assertThat(must(bob.api().get(path)).path("title").isNull()).isTrue();
        ErasingServer.post(bob, thread, "Bob's own");
        assertThat(must(bob.api().get(path)).path("title").asString()).isEqualTo("Bob's own");
    }

    /** An erasure that has found Ada alone in a thread, and that no node has continued since. */
    private UUID begun(String thread) {
        UUID erasure = UuidV7.next();
        SERVER.running().execute("""
                        begin;
                        insert into erasures (erasure_id, subject_actor, requested_by, requested_at, looked_to)
                        values ('%1$s', '%3$s', 'system:parley', now(), 'ffffffff-ffff-ffff-ffff-ffffffffffff');
                        insert into erasure_threads (erasure_id, thread_id, whole) values ('%1$s', '%2$s', true);
                        commit""".formatted(erasure, thread, ada.actor()));
        return erasure;
    }

    private void finish(UUID erasure) {
        SERVER.finished(Json.MAPPER.createObjectNode().put("erasure_id", erasure.toString()));
    }

    @Test
    void personWhoJoinsMeanwhileKeepsTheirMessages() {
        String thread = ErasingServer.thread(ada, bob.actor());
        ErasingServer.post(ada, thread, "mine " + word);
        ErasingServer.post(bob, thread, "Bob's own");

        finish(begun(thread));

        assertThat(contents(bob, thread)).containsExactly("", "Bob's own");
        assertThat(SERVER.running().select("select whole from erasure_threads where thread_id = '" + thread + "'"))
                .containsExactly("f");
    }

    @Test
    void personWhoLeftKeepsTheirMessages() {
        String thread = ErasingServer.thread(ada, bob.actor());
        ErasingServer.post(ada, thread, "mine " + word);
        ErasingServer.post(bob, thread, "Bob's own");
        SERVER.running()
                .execute("delete from participants where thread_id = '" + thread + "' and actor = '" + bob.actor()
                        + "'");

        finish(begun(thread));

        assertThat(contents(ada, thread)).containsExactly("", "Bob's own");
    }

    @Test
    void filesOfAnswersAreErased() {
        String thread = ErasingServer.thread(ada, bob.actor(), ErasingServer.DEMO);
        JsonNode uploaded =
                must(Form.file("fig.jpg", "image/jpeg", SampleImages.jpeg(8, 8)).uploadBy(bob.api()));
        must(bob.api()
                .post(
                        "/api/v1/agent/runs",
                        json(Map.of(
                                "threadId",
                                thread,
                                "runId",
                                "shown",
                                "messages",
                                List.of(Map.of(
                                        "id",
                                        "p",
                                        "role",
                                        "user",
                                        "content",
                                        List.of(Map.of(
                                                "type",
                                                "binary",
                                                "mimeType",
                                                "image/jpeg",
                                                "url",
                                                uploaded.path("url").asString()))))))));
        SERVER.awaitRun(thread, "shown");
        SERVER.run(ada, thread, "asked", "Repeat " + word);
        String uses = "select count(*) from object_uses where thread_id = '" + thread + "'";
        assertThat(SERVER.running().count(uses)).isEqualTo(1);
        // The image moves from Bob's message to the agent's answer to Ada.
        SERVER.running().execute("""
                        update entries set metadata = (
                            select (metadata::jsonb || '{"run_id":"asked"}')::json from entries
                            where thread_id = '%1$s' and metadata::text like '%%user_message_attachments%%')
                        where thread_id = '%1$s' and metadata ->> 'run_id' = 'asked'
                            and author like 'agent:%%'""".formatted(thread), """
                        update entries set metadata = null
                        where thread_id = '%1$s' and author = '%2$s'""".formatted(thread, bob.actor()));

        SERVER.erase(Map.of("actor", ada.actor()));

        assertThat(SERVER.running().count(uses)).isZero();
        assertThat(SERVER.running().count("select count(*) from objects where owner = '" + bob.actor() + "'"))
                .isZero();
    }

    @Test
    void sharedSessionForgetsDocumentsThatRepeatThem() {
        String thread = ErasingServer.thread(ada, bob.actor());
        String session = "/api/v1/sessions/" + thread;
        must(ada.api().post(session + "/chat-events", """
                {"message":{"id":"s1","role":"user","content":"%s"},"run_id":"r1"}""".formatted(word)));
        must(ada.api().post(session + "/chat-events", """
                {"message":{"id":"s2","role":"assistant","content":"You said %s"},"agent_id":"a",
                 "agent_name":"Of %s","team_name":"Team %s","run_id":"r1"}""".formatted(word, word, word)));
        must(bob.api().post(session + "/chat-events", """
                {"message":{"id":"s3","role":"user","content":"Bob's own"},"run_id":"r2"}"""));
        String document = "{\"version\":0,\"document\":{\"history\":[\"" + word + "\"]}}";
        must(bob.api().send("PUT", session + "/runs/r2", document));
        must(bob.api().send("PUT", session + "/document", document));

        SERVER.erase(Map.of("actor", ada.actor()));

        assertThat(SERVER.holding(word)).isEmpty();
        assertThat(contents(bob, thread)).containsExactly("", "", "Bob's own");
        SERVER.checkChain(thread);
    }

    @Test
    void streamTicketsAreErasedAndTheirStreamsEnd() throws IOException {
        String thread = ErasingServer.thread(bob, ada.actor());
        String stream = "/api/v1/chat/threads/" + thread + "/events/stream";
        String wish = json(Map.of("path", stream));
        String ticket = must(ada.api().post("/api/v1/auth/stream-tickets", wish))
                .path("ticket")
                .asString();
        must(bob.api().post("/api/v1/auth/stream-tickets", wish));
        try (RawHttp connection = SERVER.running().api(null).open(stream + "?ticket=" + ticket)) {
            assertThat(connection.readHead().status()).isEqualTo(200);

            SERVER.erase(Map.of("actor", ada.actor()));

            Api.readUntil(connection, "not yours any more");
        }
        try (RawHttp again = SERVER.running().api(null).open(stream + "?ticket=" + ticket)) {
            assertThat(again.readHead().status()).isEqualTo(401);
        }
        assertThat(SERVER.running().select("select principal ->> 'name' from stream_tickets"))
                .contains("Bob")
                .doesNotContain("Ada 麒麟" + word);
    }

    @Test
    void streamTicketsOfTheirAgentsAreErased() {
        String agent = must(ada.api().post("/api/v1/owner/agents", json(Map.of("display_name", "Of " + word))))
                .path("agent_id")
                .asString();
        String token = must(ada.api()
                        .post("/api/v1/owner/external-agents/tokens", json(Map.of("agent_actor_id", agent))))
                .path("raw_token")
                .asString();
        must(SERVER.running()
                .api(token)
                .post("/api/v1/auth/stream-tickets", json(Map.of("path", "/api/v1/chat/inbox/stream"))));

        SERVER.erase(Map.of("actor", ada.actor()));

        assertThat(SERVER.holding(word)).isEmpty();
    }

    @Test
    void streamedRunsOfSessionsForgetTheirAgentsNames() {
        String thread = ErasingServer.thread(ada, bob.actor());
        String run = "/api/v1/sessions/" + thread + "/runs/";
        for (Person each : List.of(ada, bob)) {
            String name = each.equals(ada) ? word : "Bob's agent";
            must(each.api().post(run + each.id() + "/events", """
                    {"first":0,"agent_id":"a","agent_name":"%1$s","team_name":"%1$s","events":[
                     {"event":"RunStarted","run_id":"%2$s"},{"event":"RunCompleted","run_id":"%2$s","content":"x"}]}""".formatted(name, each.id())));
        }

        SERVER.erase(Map.of("actor", ada.actor()));

        assertThat(SERVER.holding(word)).isEmpty();
        assertThat(SERVER.running()
                        .select("select agent_name || ' ' || team_name from session_runs where thread_id = '" + thread
                                + "' and agent_name is not null"))
                .containsExactly("Bob's agent Bob's agent");
    }

    @Test
    void privateAgentsLoseTheirNamesEverywhere() {
        String agent = must(ada.api().post("/api/v1/owner/agents", json(Map.of("display_name", "Of " + word))))
                .path("agent_id")
                .asString();
        ErasingServer.thread(ada, bob.actor(), "agent:" + agent);

        SERVER.erase(Map.of("actor", ada.actor()));

        assertThat(SERVER.holding(word)).isEmpty();
    }

    @Test
    void retractionOnAPlatformIsStillDelivered() {
        String thread = ErasingServer.thread(ada, bob.actor());
        String id = ErasingServer.post(ada, thread, "sent " + word).path("id").asString();
        must(ada.api().delete("/api/v1/chat/threads/" + thread + "/messages/" + id));
        SERVER.running().execute("""
                        insert into deliveries (delivery_id, destination_id, thread_id, seq, message_id, revises, part,
                            parts, content, marker, state, created_at)
                        select gen_random_uuid(), gen_random_uuid(), '%1$s', 2, 'm', 1, n, 2,
                            case n when 1 then '' else '%2$s' end, '%2$s' || n, 'waiting', now()
                        from generate_series(1, 2) n""".formatted(thread, "m-" + thread));

        SERVER.erase(Map.of("actor", ada.actor()));

        assertThat(SERVER.running()
                        .select("select part || ' ' || state from deliveries where thread_id = '" + thread + "'"))
                .containsExactly("1 waiting");
    }

    @Test
    void manyReactionsAreErasedWithTheirMessageAndAnnounced() {
        String thread = ErasingServer.thread(ada, bob.actor());
        ErasingServer.post(ada, thread, "loved " + word);
        SERVER.running().execute("""
                        insert into entries (thread_id, seq, position, id, kind, target_seq, author, role, content,
                            created_at, fingerprint, digest)
                        select '%1$s', n, 10 + n, 'r' || n, 3, 1, '%2$s', 'user', '🦄' || n, now(),
                            sha256(n::text::bytea), sha256(n::text::bytea)
                        from generate_series(2, 2501) n""".formatted(thread, bob.actor()), """
                        update thread_heads set last_seq = 2501, last_position = 2600
                        where thread_id = '%1$s'""".formatted(thread));

        SERVER.erase(Map.of("actor", ada.actor()));

        assertThat(SERVER.running()
                        .count("select count(*) from entries where erased_at is null and thread_id = '" + thread + "'"))
                .isZero();
        assertThat(SERVER
                        .running()
                        .select("select (r ->> 'to')::int - (r ->> 'from')::int + 1 from events e"
                                + " cross join json_array_elements(e.payload::json -> 'seq_ranges') r"
                                + " where e.type = 'messages_erased' and e.thread_id = '" + thread + "'")
                        .stream()
                        .mapToInt(Integer::parseInt)
                        .sum())
                .isEqualTo(2_501);
    }
}
