package dev.parley.erasure;

import static dev.parley.erasure.ErasingServer.json;
import static dev.parley.erasure.ErasingServer.must;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.app.Server;
import dev.parley.erasure.ErasingServer.Person;
import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import dev.parley.testing.Api;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Erasure among people who go on talking, runs that go on, and servers that stop in the middle. */
class ErasureRaceTest {
    private static final ErasingServer SERVER = ErasingServer.start();

    private final Person ada = SERVER.person("Ada");
    private final Person bob = SERVER.person("Bob");
    private final String thread = ErasingServer.thread(ada, bob.actor());

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private void fill(String author, int messages) {
        // As many entries as would take long to post, as the log would have written them.
        SERVER.running()
                .execute(
                        """
                        insert into entries (thread_id, seq, position, id, kind, author, role, content, created_at,
                            fingerprint, salt, digest)
                        select '%1$s', n, n, 'm' || n, 0, case n %% 2 when 0 then '%2$s' else '%3$s' end, 'user',
                            'ümläut 中文 ' || n, now(), sha256(n::text::bytea), substr(sha256(n::text::bytea), 1, 16),
                            sha256(('d' || n)::bytea)
                        from generate_series(1, %4$d) n""".formatted(thread, author, bob.actor(), messages),
                        """
                        insert into events (thread_id, position, seq)
                        select '%1$s', n, n from generate_series(1, %2$d) n""".formatted(thread, messages),
                        """
                        update thread_heads set last_seq = %2$d, last_position = %2$d, head_hash = (
                            with recursive chain as (
                                select 0::bigint as seq, decode(repeat('00', 32), 'hex') as hash
                                union all
                                select c.seq + 1, sha256(int8send(32) || c.hash || int8send(32) || e.digest)
                                from chain c join entries e on e.thread_id = '%1$s' and e.seq = c.seq + 1)
                            select hash from chain order by seq desc limit 1)
                        where thread_id = '%1$s'""".formatted(thread, messages));
    }

    @Test
    void whatIsSaidMeanwhileGoesToo() throws Exception {
        fill(ada.actor(), 4_000);
        SERVER.checkChain(thread);
        AtomicBoolean talking = new AtomicBoolean(true);
        try (ExecutorService talkers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> said = new ArrayList<>();
            for (Person each : List.of(ada, bob)) {
                said.add(talkers.submit(() -> {
                    int count = 0;
                    while (talking.get() || count < 5) {
                        ErasingServer.post(each, thread, "said by " + each.actor());
                        count++;
                    }
                    return count;
                }));
            }
            JsonNode wanted =
                    must(SERVER.operator().post("/api/v1/operator/erasures", json(Map.of("actor", ada.actor()))));
            await().atMost(ErasingServer.LIMIT)
                    .until(() -> SERVER.running()
                                    .count("select count(*) from entries where thread_id = '" + thread
                                            + "' and erased_at is not null")
                            > 1_000);
            talking.set(false);
            for (Future<Integer> each : said) {
                assertThat(each.get()).isPositive();
            }
            SERVER.finished(wanted);
        }

        assertThat(SERVER.running()
                        .select("select author || ' ' || (erased_at is not null) || ' ' || (content = '') from entries"
                                + " where thread_id = '" + thread + "' group by 1 order by 1"))
                .containsExactlyInAnyOrder(ada.actor() + " true true", bob.actor() + " false false");
        SERVER.checkChain(thread);
    }

    @Test
    void anotherNodeGoesOnWhereOneStopped() {
        String done = "select coalesce(sum(entries_to), 0) from erasure_threads where thread_id = '" + thread + "'";
        fill(ada.actor(), 10_000);
        JsonNode wanted;
        long left;
        try (Server other = SERVER.anotherNode()) {
            Api calls = new Api(URI.create(other.url()), SERVER.operator().credential());
            // This node stops as soon as it has begun, if it is the one that does it; else the other one does.
            wanted = must(calls.post("/api/v1/operator/erasures", json(Map.of("thread_id", thread))));
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(ErasingServer.LIMIT)
                    .until(() -> SERVER.running().count(done) > 0);
        }
        left = SERVER.running().count(done);

        JsonNode finished = SERVER.finished(wanted);

        assertThat(left).isPositive();
        assertThat(finished.path("entries_erased").asLong()).isEqualTo(10_000);
        assertThat(SERVER.running()
                        .count("select count(*) from entries where erased_at is null and thread_id = '" + thread + "'"))
                .isZero();
        SERVER.checkChain(thread);
    }

    @Test
    void whoeverDiedInTheMiddleIsFollowedByAnotherNode() {
        fill(ada.actor(), 1_000);
        UUID erasure = UuidV7.next();
        // As a node leaves it that is gone without a word. What stands before its mark is not looked at again.
        SERVER.running().execute("""
                        insert into erasures (erasure_id, subject_thread, requested_by, requested_at, holder, held_until)
                        values ('%1$s', '%2$s', 'system:parley', now(), gen_random_uuid(), now() + interval '3 seconds')
                        """.formatted(erasure, thread), """
                        insert into erasure_threads (erasure_id, thread_id, whole, entries_to, entries)
                        values ('%1$s', '%2$s', true, 600, 600)""".formatted(erasure, thread));

        JsonNode finished = SERVER.finished(Json.MAPPER.createObjectNode().put("erasure_id", erasure.toString()));

        assertThat(finished.path("entries_erased").asInt()).isEqualTo(1_000);
        assertThat(SERVER.running()
                        .select("select min(seq) || '-' || max(seq) from entries where erased_at is not null and"
                                + " thread_id = '" + thread + "'"))
                .containsExactly("601-1000");
    }

    @Test
    void runsUnderWayAreCancelled() {
        String talk = ErasingServer.thread(ada, ErasingServer.DEMO);
        must(ada.api().post("/api/v1/agent/runs", json(ErasingServer.input(talk, "slow", "/slow 10000"))));
        await().atMost(ErasingServer.LIMIT)
                .until(() -> SERVER.running()
                                .count("select count(*) from runs where thread_id = '" + talk
                                        + "' and state = 'running' and first_position is not null")
                        == 1);

        SERVER.erase(Map.of("actor", ada.actor()));

        assertThat(SERVER.running().select("select state from runs where thread_id = '" + talk + "'"))
                .containsExactly("cancelled");
        assertThat(ErasingServer.messages(ada, talk))
                .isNotEmpty()
                .allSatisfy(message ->
                        assertThat(message.path("content").asString()).isEmpty());
        Api.Reply shown = ada.api().get("/api/v1/agent/threads/" + talk + "/runs/slow");
        assertThat(shown.status()).isEqualTo(200);
    }
}
