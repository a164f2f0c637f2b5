package dev.parley.erasure;

import static dev.parley.erasure.ErasingServer.json;
import static dev.parley.erasure.ErasingServer.must;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.erasure.ErasingServer.Person;
import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import dev.parley.testing.Api;
import dev.parley.testing.Nodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Erasure among people who keep writing, active runs, and servers that stop midway. */
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
        SERVER.running().execute(filling(thread, author, bob.actor(), messages));
    }

    /**
     * More entries than a test could post, by two authors in turn, as the log would have written them; but without
     * salts, since their digests are invented.
     */
    private static String[] filling(String thread, String author, String other, int messages) {
        return new String[] {
            """
            insert into entries (thread_id, seq, position, id, kind, author, role, content, created_at, fingerprint,
                digest)
            select '%1$s', n, n, 'm' || n, 0, case n %% 2 when 0 then '%2$s' else '%3$s' end, 'user',
                'ümläut 中文 ' || n, now(), sha256(n::text::bytea), sha256(('d' || n)::bytea)
            from generate_series(1, %4$d) n""".formatted(thread, author, other, messages),
            """
            insert into events (thread_id, position, seq)
            select '%1$s', n, n from generate_series(1, %2$d) n""".formatted(thread, messages),
            // Without the row count the planner would walk the chain row by row.
            "analyze entries",
            """
            update thread_heads set last_seq = %2$d, last_position = %2$d, last_created_at = now(), head_hash = (
                with recursive chain as (
                    select 0::bigint as seq, decode(repeat('00', 32), 'hex') as hash
                    union all
                    select c.seq + 1, sha256(int8send(32) || c.hash || int8send(32) || e.digest)
                    from chain c join entries e on e.thread_id = '%1$s' and e.seq = c.seq + 1)
                select hash from chain order by seq desc limit 1)
            where thread_id = '%1$s'""".formatted(thread, messages)
        };
    }

    /** Seqs, positions and the chain agree. Invented entries have no salt to be checked by. */
    private void checkLinks() {
        assertThat(SERVER.chainFindings(thread)).allMatch(each -> each.contains("neither whole nor erased"));
    }

    /** A message, and the time by which it was surely in the log. */
    private record Acknowledged(String author, long seq, Instant by) {}

    @Test
    void messagesWrittenMeanwhileAreErased() {
        fill(ada.actor(), 4_000);
        checkLinks();
        AtomicBoolean talking = new AtomicBoolean(true);
        Queue<Acknowledged> said = new ConcurrentLinkedQueue<>();
        JsonNode wanted;
        try (ExecutorService talkers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> both = new ArrayList<>();
            for (Person each : List.of(ada, bob)) {
                both.add(talkers.submit(() -> {
                    while (talking.get()) {
                        JsonNode message = ErasingServer.post(each, thread, "said by " + each.actor());
                        said.add(new Acknowledged(
                                each.actor(), message.path("thread_seq").asLong(), Instant.now()));
                    }
                }));
            }
            wanted = must(SERVER.operator().post("/api/v1/operator/erasures", json(Map.of("actor", ada.actor()))));
            await().atMost(ErasingServer.LIMIT)
                    .until(() -> SERVER.running()
                                    .count("select count(*) from entries where thread_id = '" + thread
                                            + "' and erased_at is not null")
                            > 1_000);
            talking.set(false);
            assertThat(both).allSatisfy(each -> assertThat(each).succeedsWithin(ErasingServer.LIMIT));
        }
        SERVER.finished(wanted);

        // The erasure may end between two messages of Ada; messages after its end stay.
        Instant over = Instant.parse(SERVER.running()
                .select("select to_char(done_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') from"
                        + " erasure_threads where thread_id = '" + thread + "'")
                .getFirst());
        Set<String> erased = Set.copyOf(SERVER.running()
                .select("select seq from entries where thread_id = '" + thread
                        + "' and erased_at is not null and content = ''"));
        assertThat(said)
                .filteredOn(
                        each -> each.author().equals(ada.actor()) && each.by().isBefore(over))
                .allSatisfy(each -> assertThat(erased).contains(String.valueOf(each.seq())));
        assertThat(SERVER.running()
                        .select("select distinct author || ' ' || (erased_at is not null) || ' ' || (content = '')"
                                + " from entries where seq <= 4000 and thread_id = '" + thread + "'"))
                .containsExactlyInAnyOrder(ada.actor() + " true true", bob.actor() + " false false");
        assertThat(SERVER.running()
                        .select("select distinct content from entries where author = '" + bob.actor()
                                + "' and seq > 4000 and thread_id = '" + thread + "'"))
                .isSubsetOf("said by " + bob.actor());
        checkLinks();
    }

    @Test
    void erasureContinuesOnAnotherNodeAfterAStop() {
        UUID operator = UUID.randomUUID();
        String[] flags = {"--rate-limits", "off", "--operators", operator.toString()};
        try (Nodes nodes = Nodes.onFreshDatabase()) {
            Nodes.Node first = nodes.start(flags);
            Person owner = new Person(ada.id(), first.api(ada.id(), "Ada"));
            String filled = ErasingServer.thread(owner, bob.actor());
            for (String statement : filling(filled, ada.actor(), bob.actor(), 10_000)) {
                nodes.execute(statement);
            }
            // Each piece takes so long that the first node stops before the last one.
            nodes.execute("""
                    create function dawdle() returns trigger language plpgsql as
                    $$ begin perform pg_sleep(0.5); return new; end $$""");
            nodes.execute("create trigger dawdling before update on erasure_threads for each row"
                    + " execute function dawdle()");
            String done = "select coalesce(sum(entries_to), 0) from erasure_threads";
            String id = must(first.api(operator, "Operator")
                            .post("/api/v1/operator/erasures", json(Map.of("thread_id", filled))))
                    .path("erasure_id")
                    .asString();
            await().atMost(ErasingServer.LIMIT).until(() -> nodes.count(done) > 0);

            first.close();
            long left = nodes.count(done);
            nodes.execute("drop trigger dawdling on erasure_threads");
            Nodes.Node second = nodes.start(flags);

            assertThat(left).isBetween(1L, 9_999L);
            String path = "/api/v1/operator/erasures/" + id;
            await().atMost(ErasingServer.LIMIT)
                    .until(() -> must(second.api(operator, "Operator").get(path))
                            .path("state")
                            .asString()
                            .equals("finished"));
            assertThat(must(second.api(operator, "Operator").get(path))
                            .path("entries_erased")
                            .asLong())
                    .isEqualTo(10_000);
            assertThat(nodes.count("select count(*) from entries where erased_at is null"))
                    .isZero();
        }
    }

    @Test
    void erasureContinuesOnAnotherNodeAfterACrash() {
        fill(ada.actor(), 1_000);
        UUID erasure = UuidV7.next();
        // The state that a killed node leaves. Entries before its mark are not checked again.
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
    void activeRunsAreCancelled() {
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
