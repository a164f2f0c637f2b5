package dev.parley.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.auth.Audit;
import dev.parley.delivery.ScriptedTransport.Act;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.storage.SqlBatch;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queued parts arrive in order and once, or are listed with their state. */
class PlatformDeliveryTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(20);

    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(100);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Deliverer> nodes = new ArrayList<>();
    private final ScriptedTransport platform = new ScriptedTransport();
    private ThreadId thread = ThreadId.fresh();
    private Database database;
    private long seq;

    @BeforeEach
    void open() {
        TestDatabase scratch = RunningServer.freshDatabase();
        open.add(scratch);
        database = Database.open(RunningServer.storage(scratch.address()), 8);
        open.add(database);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private Deliverer node(Duration lease) {
        return node(Map.of("limit-delivery-lease", lease));
    }

    private Deliverer node(Map<String, Object> replaced) {
        Limits.Delivery limits = Limits.with(replaced).delivery();
        Deliverer node = new Deliverer(
                List.of(Deliverer.platforms(database, List.of(platform), state -> {}, limits, Clock.systemUTC())),
                limits.atOnce(),
                CLOSE_TIMEOUT);
        open.add(node);
        nodes.add(node);
        return node;
    }

    private Deliverer node() {
        return node(Duration.ofSeconds(30));
    }

    private ReplyTarget target(String channel) {
        return target("", channel);
    }

    private ReplyTarget target(String workspace, String channel) {
        ReplyTarget target = new ReplyTarget("scripted", workspace, channel, "");
        database.transact(handle -> {
            new Destinations(Clock.systemUTC()).route(handle, target, thread);
            return true;
        });
        return target;
    }

    /** Puts parts of one message into the queue, as the lane does. */
    private void queue(ReplyTarget target, String... parts) {
        seq++;
        database.transact(handle -> {
            UUID destination = handle.createQuery("select destination_id from destinations where channel = :channel")
                    .bind("channel", target.channel())
                    .mapTo(UUID.class)
                    .one();
            List<QueuedParcel> parcels = IntStream.range(0, parts.length)
                    .mapToObj(i -> QueuedParcel.of(
                            destination, thread, seq, "message-" + seq, "run_1", null, i + 1, parts.length, parts[i]))
                    .toList();
            try {
                new DeliveryWriter().write(new SqlBatch(handle.getConnection()), List.of(new DeliveryEffect(parcels)));
            } catch (SQLException failed) {
                throw new AssertionError(failed);
            }
            return true;
        });
    }

    private List<ListedDelivery> deliveries() {
        return new Deliveries(database).ofRun(thread, "run_1");
    }

    private List<DeliveryState> states() {
        return deliveries().stream().map(ListedDelivery::state).toList();
    }

    /** Wakes all nodes, as a commit does. */
    private void wakeAll() {
        nodes.forEach(node -> node.due(List.of()));
    }

    private void awaitStates(DeliveryState... states) {
        await().pollInterval(POLL).atMost(TIMEOUT).untilAsserted(() -> {
            wakeAll();
            assertThat(states()).containsExactly(states);
        });
    }

    @Test
    void partsArriveInOrderOnce() {
        ReplyTarget target = target("C1");
        queue(target, "一", "二", "三");
        queue(target, "four");
        node();
        awaitStates(DeliveryState.SENT, DeliveryState.SENT, DeliveryState.SENT, DeliveryState.SENT);
        assertThat(platform.texts()).containsExactly("一", "二", "三", "four");
        assertThat(deliveries()).allMatch(each -> ("ext-" + marker(each)).equals(each.externalId()));
    }

    @Test
    void slowWorkspacesLeaveSlotsForOthers() {
        platform.holdIn("slow");
        for (int i = 0; i < 8; i++) {
            queue(target("slow-" + i % 2, "S" + i), "held");
        }
        Deliverer node = node(Map.of("limit-deliveries-at-once", 4));
        await().atMost(TIMEOUT).until(() -> platform.texts().size() == 2);
        assertThat(node.overShare()).isPositive();

        queue(target("quick", "Q"), "one");
        await().pollInterval(POLL).atMost(TIMEOUT).untilAsserted(() -> {
            wakeAll();
            assertThat(platform.texts("Q")).containsExactly("one");
        });
        assertThat(platform.texts()).hasSize(3);
    }

    @Test
    void longQueueOfOnePlaceIsSentInTurns() {
        for (String channel : List.of("A", "B")) {
            queue(target(channel), "1", "2", "3", "4");
        }
        // One slot, and a turn that ends after one part.
        node(Map.of("limit-deliveries-at-once", 1, "limit-delivery-turn", Duration.ofNanos(1)));
        await().pollInterval(POLL).atMost(TIMEOUT).untilAsserted(() -> {
            wakeAll();
            assertThat(platform.channels()).containsExactly("A", "B", "A", "B", "A", "B", "A", "B");
        });
    }

    private String marker(ListedDelivery delivery) {
        return database.read(handle -> handle.createQuery("select marker from deliveries where delivery_id = :id")
                .bind("id", delivery.id())
                .mapTo(String.class)
                .one());
    }

    @Test
    void aLostAnswerIsLookedUpAndNothingIsSentTwice() {
        platform.then(Act.TAKE_SILENTLY);
        queue(target("C1"), "same", "same");
        node();
        awaitStates(DeliveryState.SENT, DeliveryState.SENT);
        assertThat(platform.texts()).containsExactly("same", "same");
    }

    @Test
    void aLostRequestIsSentAgain() {
        platform.then(Act.LOSE, Act.LOSE);
        queue(target("C1"), "a", "b");
        node();
        awaitStates(DeliveryState.SENT, DeliveryState.SENT);
        assertThat(platform.texts()).containsExactly("a", "b");
    }

    @Test
    void platformWithMarkersIsSentThePartAgainAndHasItOnce() {
        platform.knowingMarkers().then(Act.TAKE_SILENTLY, Act.NOT_NOW, Act.LOSE, Act.TAKE, Act.LOSE, Act.REFUSE);
        queue(target("C1"), "a", "b", "c");
        node();
        awaitStates(DeliveryState.SENT, DeliveryState.UNCERTAIN, DeliveryState.SENT);
        assertThat(platform.texts()).containsExactly("a", "c");
        assertThat(deliveries().getFirst().attempts()).isEqualTo(4);
    }

    @Test
    void unknowablePartIsUncertainAndTheNextIsSent() {
        platform.then(Act.LOSE).whenAbsent(new ChatTransport.Lookup.Unknowable("The platform keeps no history."));
        queue(target("C1"), "a", "b");
        node();
        awaitStates(DeliveryState.UNCERTAIN, DeliveryState.SENT);
        assertThat(platform.texts()).containsExactly("b");
        assertThat(deliveries().getFirst().problem()).isEqualTo("The platform keeps no history.");
    }

    @Test
    void aFailureDoesNotLetLaterPartsOvertake() {
        platform.then(Act.NOT_NOW, Act.TAKE, Act.NOT_NOW);
        ReplyTarget target = target("C1");
        queue(target, "a");
        queue(target, "b", "c");
        node();
        awaitStates(DeliveryState.SENT, DeliveryState.SENT, DeliveryState.SENT);
        assertThat(platform.texts()).containsExactly("a", "b", "c");
        assertThat(deliveries().getFirst().attempts()).isEqualTo(2);
    }

    @Test
    void refusedPartIsDeadWithTheRestOfItsMessage() {
        platform.then(Act.TAKE, Act.REFUSE);
        ReplyTarget target = target("C1");
        queue(target, "a", "b", "c");
        queue(target, "d");
        node();
        awaitStates(DeliveryState.SENT, DeliveryState.DEAD, DeliveryState.DEAD, DeliveryState.SENT);
        assertThat(platform.texts()).containsExactly("a", "d");
        assertThat(deliveries().get(1).problem()).isEqualTo("There is no such channel.");
    }

    @Test
    void failingDestinationDelaysNoOther() {
        platform.then(IntStream.range(0, 3).mapToObj(i -> Act.NOT_NOW).toArray(Act[]::new));
        queue(target("C1"), "slow");
        queue(target("C2"), "quick");
        node();
        awaitStates(DeliveryState.SENT, DeliveryState.SENT);
        assertThat(platform.texts()).containsExactlyInAnyOrder("slow", "quick");
    }

    @Test
    void anotherNodeTakesOverFromAFailedOne() {
        queue(target("C1"), "a", "b");
        platform.hold();
        Deliverer gone = node(Duration.ofSeconds(1));
        wakeAll();
        await().pollInterval(POLL).atMost(TIMEOUT).until(() -> platform.texts().size() == 1);
        // The node stops in the middle of a part that the platform has accepted.
        gone.close();
        assertThat(states()).containsExactly(DeliveryState.SENDING, DeliveryState.WAITING);
        platform.release();
        node(Duration.ofSeconds(1));
        awaitStates(DeliveryState.SENT, DeliveryState.SENT);
        assertThat(platform.texts()).containsExactly("a", "b");
    }

    @Test
    void destinationMayChangeItsThread() {
        ReplyTarget target = target("C1");
        queue(target, "of the first thread");
        ThreadId other = ThreadId.fresh();
        database.transact(handle -> {
            new Destinations(Clock.systemUTC()).route(handle, target, other);
            return true;
        });
        thread = other;
        seq = 0;
        queue(target, "of the second thread");
        node();
        wakeAll();
        await().pollInterval(POLL).atMost(TIMEOUT).until(() -> platform.texts().size() == 2);
        assertThat(platform.texts()).containsExactly("of the first thread", "of the second thread");
    }

    @Test
    void brokenAdapterDelaysNoOtherDestination() {
        platform.then(Act.BREAK);
        queue(target("C1"), "broken");
        queue(target("C2"), "whole");
        node();
        awaitStates(DeliveryState.SENT, DeliveryState.SENT);
        assertThat(platform.texts()).containsExactlyInAnyOrder("broken", "whole");
    }

    @Test
    void failedPartsAreListedAndSentAgain() {
        platform.then(Act.REFUSE, Act.REFUSE, Act.REFUSE);
        for (String text : List.of("a", "b", "c")) {
            queue(target("C1"), text);
        }
        node();
        awaitStates(DeliveryState.DEAD, DeliveryState.DEAD, DeliveryState.DEAD);
        DeadLetters letters = new DeadLetters(database, new Audit(database, Clock.systemUTC()));
        List<ListedDelivery> newest = letters.listBefore(null, 2);
        assertThat(newest).extracting(ListedDelivery::seq).containsExactly(3L, 2L);
        letters.replay(Actor.user(UUID.randomUUID()), newest.getLast().id());
        assertThat(letters.listBefore(newest.getLast().id(), 2))
                .as("the next page, although the last part of the page before is sent again")
                .extracting(ListedDelivery::seq)
                .containsExactly(1L);
        awaitStates(DeliveryState.DEAD, DeliveryState.SENT, DeliveryState.DEAD);
        assertThat(platform.texts()).containsExactly("b");
    }

    @Test
    void theDeadPartsOfAMessageAreSentAgainTogetherAndInOrder() {
        platform.then(Act.REFUSE);
        queue(target("C1"), "a", "b", "c");
        node();
        awaitStates(DeliveryState.DEAD, DeliveryState.DEAD, DeliveryState.DEAD);
        DeadLetters letters = new DeadLetters(database, new Audit(database, Clock.systemUTC()));
        letters.replay(Actor.user(UUID.randomUUID()), deliveries().get(1).id());
        awaitStates(DeliveryState.SENT, DeliveryState.SENT, DeliveryState.SENT);
        assertThat(platform.texts()).containsExactly("a", "b", "c");
    }

    @Test
    void manyNodesSendEachPartOnceAndInOrder() {
        List<ReplyTarget> places =
                IntStream.range(0, 5).mapToObj(i -> target("C" + i)).toList();
        for (int i = 0; i < 20; i++) {
            for (ReplyTarget target : places) {
                queue(target, "m" + i, "n" + i);
            }
        }
        node();
        node();
        node();
        wakeAll();
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(states()).hasSize(200).containsOnly(DeliveryState.SENT));
        List<String> wanted = IntStream.range(0, 20)
                .boxed()
                .flatMap(i -> Stream.of("m" + i, "n" + i))
                .toList();
        for (ReplyTarget target : places) {
            assertThat(platform.texts(target.channel())).isEqualTo(wanted);
        }
    }

    @Test
    void reportedPartsAreRecognised() {
        platform.then(Act.LOSE)
                .whenAbsent(new ChatTransport.Lookup.Unknowable("The platform does not answer lookups."));
        queue(target("C1"), "hello");
        node();
        awaitStates(DeliveryState.UNCERTAIN);
        Deliveries deliveries = new Deliveries(database);
        String marker = marker(deliveries().getFirst());
        assertThat(deliveries.recognise(new Deliveries.DeliveryView("scripted", "", "C1", "x1", null, "hello")))
                .as("an equal text of another sender")
                .isEmpty();
        assertThat(deliveries.recognise(new Deliveries.DeliveryView("scripted", "", "C1", "x1", marker, null)))
                .map(Deliveries.DeliveredMessage::messageId)
                .hasValue("message-1");
        assertThat(states()).as("the report proves the delivery").containsExactly(DeliveryState.SENT);
        assertThat(deliveries.recognise(new Deliveries.DeliveryView("scripted", "", "C1", "x1", null, null)))
                .isPresent();
        assertThat(deliveries.recognise(new Deliveries.DeliveryView("scripted", "", "C2", "x1", null, null)))
                .as("another channel")
                .isEmpty();
    }
}
