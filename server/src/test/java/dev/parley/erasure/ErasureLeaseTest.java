package dev.parley.erasure;

import static dev.parley.erasure.ErasingServer.json;
import static dev.parley.erasure.ErasingServer.must;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.erasure.ErasingServer.Person;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The leases of erasures: one node at a time, and a waiting erasure holds up no other. */
class ErasureLeaseTest {
    private static final ErasingServer SERVER = ErasingServer.start("--retention-days", "30");

    private final Person ada = SERVER.person("Ada");
    private final Person bob = SERVER.person("Bob");

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Test
    void retentionIsSweptByItsLeaseholderOnly() {
        String thread = ErasingServer.thread(ada);
        ErasingServer.post(ada, thread, "too old 旧");
        SERVER.running()
                .execute(
                        "update entries set created_at = created_at - interval '31 days' where thread_id = '" + thread
                                + "'",
                        """
                        insert into erasures (erasure_id, requested_by, requested_at, finished_at, holder, held_until)
                        values ('%s', 'system:parley', now(), now(), gen_random_uuid(), now() + interval '1 hour')
                        on conflict (erasure_id) do update
                        set holder = excluded.holder, held_until = excluded.held_until""".formatted(ErasureTask.RETENTION));
        String row = " from erasures where erasure_id = '" + ErasureTask.RETENTION + "'";

        assertThat(SERVER.running().server().sweepRetention()).isFalse();
        assertThat(SERVER.holding("旧")).isNotEmpty();

        SERVER.running()
                .execute("update erasures set held_until = now() - interval '1 second' where erasure_id = '"
                        + ErasureTask.RETENTION + "'");
        assertThat(SERVER.running().server().sweepRetention()).isTrue();
        assertThat(ErasingServer.messages(ada, thread))
                .allSatisfy(message ->
                        assertThat(message.path("content").asString()).isEmpty());
        // The lease keeps other nodes from sweeping again at once.
        assertThat(SERVER.running().select("select held_until > now() + interval '8 minutes'" + row))
                .containsExactly("t");
    }

    @Test
    void erasureIsFinishedOnceByItsLeaseholderOnly() {
        UUID holder = UUID.randomUUID();
        UUID erasure = held(holder, "slack:U1");
        try (Database database = Database.open(SERVER.running().database(), 1)) {
            assertThat(finish(database, erasure, UUID.randomUUID())).isFalse();
            assertThat(finish(database, erasure, holder)).isTrue();
            assertThat(finish(database, erasure, holder)).isFalse();
        }
    }

    /** The second erasure no longer finds the runs that the first one waits for. */
    @Test
    void secondErasureOfAPersonWaitsForTheFirst() {
        UUID holder = UUID.randomUUID();
        UUID first = held(holder, "slack:U2");
        UUID second = held(holder, "slack:U2");
        try (Database database = Database.open(SERVER.running().database(), 1)) {
            assertThat(finish(database, second, holder)).isFalse();
            assertThat(finish(database, first, holder)).isTrue();
            assertThat(finish(database, second, holder)).isTrue();
        }
    }

    /** An erasure that no other node takes. */
    private static UUID held(UUID holder, String actor) {
        UUID erasure = UuidV7.next();
        SERVER.running().execute("""
                        insert into erasures (erasure_id, subject_actor, requested_by, requested_at, holder, held_until)
                        values ('%s', '%s', 'system:parley', now(), '%s', now() + interval '1 hour')""".formatted(erasure, actor, holder));
        return erasure;
    }

    private static boolean finish(Database database, UUID erasure, UUID holder) {
        return database.transact(handle -> ErasureStore.finish(handle, erasure, holder));
    }

    @Test
    void waitingErasureLetsOthersPass() {
        String talk = ErasingServer.thread(ada, bob.actor(), ErasingServer.DEMO);
        ErasingServer.post(ada, talk, "Bob's run reads this");
        SERVER.awaitQuiet(talk);
        must(bob.api().post("/api/v1/agent/runs", json(ErasingServer.input(talk, "slow", "/slow 10000"))));
        await().atMost(ErasingServer.LIMIT)
                .until(() -> SERVER.running()
                                .count("select count(*) from runs where thread_id = '" + talk
                                        + "' and state = 'running' and first_position is not null")
                        == 1);
        JsonNode waiting =
                must(SERVER.operator().post("/api/v1/operator/erasures", json(Map.of("actor", ada.actor()))));
        String id = waiting.path("erasure_id").asString();
        await().atMost(ErasingServer.LIMIT)
                .until(() ->
                        SERVER.running().count("select put_off from erasures where erasure_id = '" + id + "'") > 0);
        String other = ErasingServer.thread(bob);
        ErasingServer.post(bob, other, "something else");

        SERVER.erase(Map.of("thread_id", other));

        assertThat(must(SERVER.operator().get("/api/v1/operator/erasures/" + id))
                        .path("state")
                        .asString())
                .isEqualTo("running");
        must(bob.api().post("/api/v1/agent/threads/" + talk + "/runs/slow/cancel", "{}"));
        SERVER.finished(waiting);
    }
}
