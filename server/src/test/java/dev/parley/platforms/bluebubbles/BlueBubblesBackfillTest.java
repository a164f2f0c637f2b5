package dev.parley.platforms.bluebubbles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.ingest.PlatformEvent;
import dev.parley.platforms.Backfills;
import dev.parley.platforms.ChatPlatform;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.chat.BlueBubblesMessages;
import dev.parley.testkit.chat.LocalApi.Answer;
import dev.parley.testkit.chat.LocalApi.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Messages without a webhook are read from the history, and none is lost after failures. */
class BlueBubblesBackfillTest {
    private static final BlueBubblesBackfill.Pace QUICK =
            BlueBubblesBackfill.Pace.of(Duration.ofMinutes(10), Duration.ofMillis(20));

    private final Mac mac = new Mac();
    private final List<String> taken = Collections.synchronizedList(new ArrayList<>());
    private TestDatabase scratch;
    private Database database;
    private BlueBubblesBackfill backfill;

    @BeforeEach
    void open() {
        scratch = RunningServer.freshDatabase();
        database = Database.open(RunningServer.storage(scratch.address()), 2);
        backfill = another();
    }

    @AfterEach
    void close() {
        backfill.close();
        database.close();
        scratch.close();
        mac.close();
    }

    private BlueBubblesBackfill another() {
        return new BlueBubblesBackfill(mac.api, mac.events, new Backfills(database), mac.clock, QUICK);
    }

    private void take(List<PlatformEvent> inbound) {
        for (PlatformEvent each : inbound) {
            if (each instanceof PlatformEvent.Posted posted) {
                taken.add(posted.message().message());
            }
        }
    }

    private void keep(String text) {
        mac.server.keep(BlueBubblesMessages.said(Mac.DIRECT, Mac.FRIEND, text, mac.clock.instant()));
    }

    private Instant position() {
        return new Backfills(database).begin("bluebubbles", "", Instant.EPOCH);
    }

    @Test
    void firstStartSkipsEarlierMessages() throws Exception {
        keep("long ago");
        mac.clock.advance(Duration.ofMillis(1));

        backfill.read(this::take);
        keep("afterwards");
        mac.clock.advance(Duration.ofSeconds(1));
        another().read(this::take);

        assertThat(taken).containsExactly("afterwards");
    }

    @Test
    void missedMessagesAreReadInOrder() throws Exception {
        backfill.read(this::take);
        for (int i = 0; i < 3; i++) {
            mac.clock.advance(Duration.ofHours(1));
            keep("hour " + i);
        }

        another().read(this::take);

        assertThat(taken).containsExactly("hour 0", "hour 1", "hour 2");
        assertThat(position()).isEqualTo(mac.clock.instant());
    }

    @Test
    void manyPagesAreReadToTheEnd() throws Exception {
        backfill.read(this::take);
        int many = BlueBubblesBackfill.PAGE * 2 + 7;
        for (int i = 0; i < many; i++) {
            mac.clock.advance(Duration.ofSeconds(1));
            keep("message " + i);
        }

        assertThat(backfill.read(this::take)).isFalse();

        assertThat(taken).hasSize(many).doesNotHaveDuplicates().last().isEqualTo("message " + (many - 1));
    }

    @Test
    void positionStaysAfterAFailedStore() throws Exception {
        backfill.read(this::take);
        mac.clock.advance(Duration.ofHours(1));
        keep("one");
        mac.clock.advance(Duration.ofHours(1));
        keep("two");
        Instant before = position();

        assertThatThrownBy(() -> backfill.read(inbound -> {
                    throw new ProblemException(Problem.DATABASE_UNAVAILABLE, "away");
                }))
                .isInstanceOf(ProblemException.class);

        assertThat(position()).isEqualTo(before);
        another().read(this::take);
        assertThat(taken).containsExactly("one", "two");
    }

    @Test
    void unstorableMessageDoesNotBlockLaterOnes() throws Exception {
        backfill.read(this::take);
        mac.clock.advance(Duration.ofHours(1));
        keep("poison");
        keep("fine");

        backfill.read(inbound -> {
            if (((PlatformEvent.Posted) inbound.getFirst()).message().message().equals("poison")) {
                throw new IllegalStateException("a bug");
            }
            take(inbound);
        });

        assertThat(taken).containsExactly("fine");
        assertThat(position()).isEqualTo(mac.clock.instant());
    }

    @Test
    void missedEditIsFound() throws Exception {
        backfill.read(this::take);
        mac.clock.advance(Duration.ofHours(1));
        ObjectNode message = mac.server.say(Mac.DIRECT, Mac.FRIEND, "teh");
        backfill.read(this::take);
        mac.clock.advance(Duration.ofMinutes(14));
        mac.server.edit(message, "the");
        List<PlatformEvent> found = new ArrayList<>();

        another().read(found::addAll);

        assertThat(found)
                .anySatisfy(each -> assertThat(each)
                        .isInstanceOfSatisfying(
                                PlatformEvent.Edited.class,
                                edited -> assertThat(edited.text()).isEqualTo("the")));
    }

    @Test
    void backfillReadsAtItsStartAndOnWakeAndStopsOnClose() throws Exception {
        backfill.read(this::take);
        mac.clock.advance(Duration.ofMinutes(1));
        keep("while away");
        backfill.start(this::take);
        await().atMost(Duration.ofSeconds(20)).until(() -> taken.contains("while away"));

        mac.clock.advance(Duration.ofMinutes(1));
        keep("later");
        backfill.wake();
        await().atMost(Duration.ofSeconds(20)).until(() -> taken.contains("later"));

        backfill.close();
        int calls = mac.server.api().requests("message/query").size();
        backfill.wake();
        assertThat(mac.server.api().requests("message/query")).hasSize(calls);
    }

    @Test
    void failedReadIsRetriedUntilTheMacAnswers() {
        mac.server.api().fail("message/query", new Fault.LoseAnswer());
        mac.server.api().fail("message/query", new Fault.Instead(new Answer(502, Map.of(), new byte[0])));
        mac.server.api().fail("message/query", new Fault.Instead(Answer.json(200, "{\"data\":7}")));
        backfill.start(this::take);

        await().atMost(Duration.ofSeconds(20))
                .until(() -> mac.server.api().requests("message/query").size() >= 4);
        keep("at last");
        backfill.wake();
        await().atMost(Duration.ofSeconds(20)).until(() -> taken.contains("at last"));
    }

    @Test
    void waitsGrowAndHaveAnEnd() {
        BlueBubblesBackfill.Pace pace = BlueBubblesBackfill.Pace.DEFAULT;

        assertThat(pace.interval()).isEqualTo(Duration.ofMinutes(5));
        assertThat(pace.retry().after(1)).isEqualTo(Duration.ofSeconds(5));
        assertThat(pace.retry().after(3)).isEqualTo(Duration.ofSeconds(20));
        assertThat(pace.retry().after(1_000_000)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void concurrentBackfillsReadEverything() throws Exception {
        backfill.read(this::take);
        mac.clock.advance(Duration.ofHours(1));
        keep("a");
        keep("b");
        Set<String> both = Collections.synchronizedSet(new HashSet<>());
        ChatPlatform.Sink sink = inbound ->
                both.add(((PlatformEvent.Posted) inbound.getFirst()).message().message());

        another().read(sink);
        another().read(sink);

        assertThat(both).containsExactlyInAnyOrder("a", "b");
    }
}
