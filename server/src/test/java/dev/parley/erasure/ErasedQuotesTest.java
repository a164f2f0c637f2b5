package dev.parley.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.erasure.ErasingServer.Person;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A thread context that quotes an erased message is erased; the message that carries it stays. */
class ErasedQuotesTest {
    private static QuotingSlack slack;
    private static ErasingServer server;

    private String channel = "";
    private String ash = "";
    private String word = "";

    @BeforeAll
    static void start() {
        slack = new QuotingSlack();
        server = ErasingServer.start(slack.flags("--retention-days", "30"));
    }

    @AfterAll
    static void stop() {
        server.close();
        slack.close();
    }

    @BeforeEach
    void goElsewhere() {
        channel = slack.openChannel();
        ash = slack.addUser("Ash");
        word = "zq" + UUID.randomUUID().toString().substring(24);
    }

    @Test
    void erasedSender_isNoLongerQuoted() {
        SlackPost root = slack.say(channel, ash, "about " + word, null);
        SlackPost post = slack.say(channel, QuotingSlack.OLIVIA, "my own words", root);
        String thread = slack.bring(server, post);
        assertThat(QuotingSlack.contextOf(server, post))
                .singleElement()
                .asString()
                .contains(word);

        server.erase(Map.of("actor", "slack:" + ash));

        assertThat(server.holding(word)).isEmpty();
        assertThat(server.running()
                        .select("select content from entries where thread_id = '" + thread + "' and seq = 1"))
                .containsExactly("my own words");
        assertThat(problem(post)).isEqualTo("A quoted message was erased.");
        server.checkChain(thread);
        assertThat(server.running().count("select count(*) from thread_quotes where thread_id = '" + thread + "'"))
                .isZero();
    }

    @Test
    void redactedEntry_cannotBeChangedUnnoticed() {
        SlackPost root = slack.say(channel, ash, "about " + word, null);
        String thread = slack.bring(server, slack.say(channel, QuotingSlack.OLIVIA, "my own words", root));
        server.erase(Map.of("actor", "slack:" + ash));

        server.running()
                .execute("update entries set content = 'other words' where seq = 1 and thread_id = '" + thread + "'");

        assertThat(server.chainFindings(thread))
                .containsExactly("the entry with seq 1 does not fit its digest: it was changed");
    }

    @Test
    void erasedThread_isNoLongerQuotedInOthers() {
        SlackPost root = slack.say(channel, ash, "about " + word, null);
        String whole = slack.bring(server, root);
        SlackPost post = slack.say(channel, QuotingSlack.OLIVIA, "my own words", root);
        String thread = slack.bring(server, post);
        assertThat(QuotingSlack.contextOf(server, post))
                .singleElement()
                .asString()
                .contains(word);

        server.erase(Map.of("thread_id", whole));

        assertThat(server.holding(word)).isEmpty();
        server.checkChain(thread);
        assertThat(server.running()
                        .count("select count(*) from entries where erased_at is not null and thread_id = '" + thread
                                + "'"))
                .isZero();
    }

    @Test
    void retention_reachesQuotes() {
        SlackPost root = slack.say(channel, ash, "about " + word, null);
        String whole = slack.bring(server, root);
        SlackPost post = slack.say(channel, QuotingSlack.OLIVIA, "my own words", root);
        String thread = slack.bring(server, post);
        server.running()
                .execute("update entries set created_at = created_at - interval '31 days' where thread_id = '" + whole
                        + "'");

        assertThat(server.running().server().sweepRetention()).isTrue();

        await().atMost(ErasingServer.LIMIT)
                .untilAsserted(
                        () -> assertThat(QuotingSlack.contextOf(server, post)).isEmpty());
        server.checkChain(thread);
    }

    @Test
    void quotesOfLaterMessages_stay() {
        SlackPost root = slack.say(channel, ash, "about " + word, null);
        SlackPost post = slack.say(channel, QuotingSlack.OLIVIA, "my own words", root);
        slack.bring(server, post);

        server.erase(Map.of(
                "actor",
                "slack:" + ash,
                "before",
                Instant.parse("2020-01-01T00:00:00Z").toString()));

        assertThat(QuotingSlack.contextOf(server, post))
                .singleElement()
                .asString()
                .contains(word);
    }

    @Test
    void erasedMessage_isNotQuotedAgainThoughSlackHasIt() {
        SlackPost root = slack.say(channel, ash, "about " + word, null);
        String whole = slack.bring(server, root);
        server.erase(Map.of("thread_id", whole));
        SlackPost mention = slack.say(channel, QuotingSlack.OLIVIA, "what was it?", root);

        // A mention alone: Slack is asked for the thread, root included.
        slack.bring(server, SlackPostman.mention(mention));

        assertThat(server.holding(word)).isEmpty();
        assertThat(QuotingSlack.contextOf(server, mention))
                .singleElement()
                .asString()
                .contains("(the first message was deleted)");
    }

    @Test
    void erasedSender_isNotQuotedAgainThoughSlackHasIt() {
        SlackPost root = slack.say(channel, ash, "about " + word, null);
        SlackPost post = slack.say(channel, QuotingSlack.OLIVIA, "what was it?", root);
        server.erase(Map.of("actor", "slack:" + ash));

        slack.bring(server, post);

        assertThat(server.holding(word)).isEmpty();
    }

    @Test
    void quoteThatCommitsDuringTheErasure_isErased() throws Exception {
        SlackPost root = slack.say(channel, ash, "about " + word, null);
        SlackPost post = slack.say(channel, QuotingSlack.OLIVIA, "my own words", root);
        server.running().execute("create table commit_allowed ()", """
                create function await_commit() returns trigger language plpgsql as $$
                begin
                    while not exists (select 1 from commit_allowed) loop perform pg_sleep(0.02); end loop;
                    return null;
                end $$""", """
                create trigger await_commit after insert on thread_quotes for each row execute function await_commit()""");

        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> thread = callers.submit(() -> slack.bring(server, post));
            awaitCount("select count(*) from pg_stat_activity where wait_event = 'PgSleep'");
            Future<?> erasure = callers.submit(() -> server.erase(Map.of("actor", "slack:" + ash)));
            await().atMost(ErasingServer.LIMIT).until(() -> erasure.isDone() || advisoryLockIsAwaited());
            server.running().execute("insert into commit_allowed default values");

            server.checkChain(thread.get());
            erasure.get();
        } finally {
            server.running().execute("drop function await_commit cascade", "drop table commit_allowed");
        }

        assertThat(server.holding(word)).isEmpty();
    }

    @Test
    void quotesThatOthersMarkLater_doNotHoldAnErasureUp() {
        Person bob = server.person("Bob");
        String busy = ErasingServer.thread(bob);
        ErasingServer.must(bob.api()
                .post("/api/v1/agent/runs", ErasingServer.json(ErasingServer.input(busy, "slow", "/slow 10000"))));
        // The thread context waits for the end of the run, like those that retention marks each day.
        server.running().execute("""
                insert into thread_quotes (thread_id, seq, number, sender, source, workspace, channel,
                    external_message_id, erased_at, removed_at)
                values ('%s', 1, 0, 'slack:other', 'slack', '', '%s', '1.1', now() + interval '1 hour',
                    now() + interval '1 hour')""".formatted(busy, channel));
        try {
            JsonNode erased = server.erase(Map.of("actor", "slack:" + ash));

            assertThat(erased.path("state").asString()).isEqualTo("finished");
        } finally {
            ErasingServer.must(bob.api().post("/api/v1/agent/threads/" + busy + "/runs/slow/cancel", "{}"));
        }
    }

    private static boolean advisoryLockIsAwaited() {
        return server.running().count("select count(*) from pg_locks where locktype = 'advisory' and not granted") > 0;
    }

    private static void awaitCount(String query) {
        await().atMost(ErasingServer.LIMIT).until(() -> server.running().count(query) > 0);
    }

    private static String problem(SlackPost post) {
        return ErasingServer.must(server.operator()
                        .get("/api/v1/integrations/messages?source=slack&external_message_id=" + post.ts()))
                .at("/traces/0/thread_history/problem")
                .asString("");
    }
}
