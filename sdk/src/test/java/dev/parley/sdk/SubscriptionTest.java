package dev.parley.sdk;

import static dev.parley.sdk.Samples.THREAD;
import static dev.parley.sdk.Samples.frame;
import static dev.parley.sdk.Samples.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.chat.EventEnvelope;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class SubscriptionTest {
    /** Records all calls. */
    private static final class Notes implements StreamListener {
        final List<String> ids = new CopyOnWriteArrayList<>();
        final List<String> passing = new CopyOnWriteArrayList<>();
        final List<StreamState> states = new CopyOnWriteArrayList<>();

        @Override
        public void event(EventEnvelope event) {
            ids.add(event.eventId());
        }

        @Override
        public void passing(SseFrame frame) {
            passing.add(frame.event());
        }

        @Override
        public void state(StreamState state) {
            states.add(state);
        }

        List<Class<?>> stateKinds() {
            return states.stream().<Class<?>>map(Object::getClass).toList();
        }
    }

    private static final ScriptedServer.Step TWO_THEN_CUT = (request, wire) -> {
        wire.openStream();
        wire.write(frame("1") + "event: typing\ndata: {}\n\n" + frame("2"));
    };

    @Test
    void subscriptionResumesByItselfAndReportsItsState() throws Exception {
        Notes notes = new Notes();
        try (ScriptedServer server = new ScriptedServer(TWO_THEN_CUT, (request, wire) -> {
                    wire.openStream();
                    wire.write(frame("3"));
                    wire.untilClientLeaves();
                });
                Parley client = quick(server)) {
            Subscription subscription = client.thread(THREAD).subscribe(Cursor.START, notes);
            await().until(() -> subscription.cursor().equals(Cursor.after(3)));
            assertThat(subscription.state()).isInstanceOf(StreamState.Open.class);
            subscription.close();
            assertThat(subscription.state()).isInstanceOf(StreamState.Closed.class);
            assertThat(notes.ids).containsExactly("1", "2", "3");
            assertThat(notes.passing).containsExactly("typing");
            assertThat(notes.stateKinds())
                    .containsExactly(
                            StreamState.Connecting.class,
                            StreamState.Open.class,
                            StreamState.Waiting.class,
                            StreamState.Connecting.class,
                            StreamState.Open.class,
                            StreamState.Closed.class);
            assertThat(subscription.violations()).isZero();
        }
    }

    @Test
    void finalRefusalFailsTheSubscription() throws Exception {
        Notes notes = new Notes();
        try (ScriptedServer server = new ScriptedServer(
                        TWO_THEN_CUT, (request, wire) -> wire.json(401, problem(401, "unauthenticated", false)));
                Parley client = quick(server);
                Subscription subscription = client.thread(THREAD).subscribe(Cursor.START, notes)) {
            await().until(() -> subscription.state() instanceof StreamState.Failed);
            assertThat(subscription.cursor()).isEqualTo(Cursor.after(2));
            assertThat(((StreamState.Failed) subscription.state()).cause()).isInstanceOf(ParleyProblem.class);
        }
    }

    @Test
    void aListenerThatThrowsStopsAtTheEventItDidNotTake() throws Exception {
        try (ScriptedServer server = new ScriptedServer(TWO_THEN_CUT);
                Parley client = quick(server);
                Subscription subscription = client.thread(THREAD).subscribe(Cursor.START, event -> {
                    if (event.eventId().equals("2")) {
                        throw new IllegalStateException("full");
                    }
                })) {
            await().until(() -> subscription.state() instanceof StreamState.Failed);
            assertThat(subscription.cursor()).isEqualTo(Cursor.after(1));
        }
    }

    @Test
    void aListenerMayCloseItsOwnSubscription() throws Exception {
        CompletableFuture<Subscription> self = new CompletableFuture<>();
        List<String> ids = new CopyOnWriteArrayList<>();
        try (ScriptedServer server = new ScriptedServer(TWO_THEN_CUT);
                Parley client = quick(server)) {
            self.complete(client.thread(THREAD).subscribe(Cursor.START, event -> {
                ids.add(event.eventId());
                self.join().close();
            }));
            await().until(() -> self.join().state() instanceof StreamState.Closed);
            assertThat(ids).containsExactly("1");
        }
    }

    private static Parley quick(ScriptedServer server) {
        return Parley.at(server.uri()).retryStreams(Samples.QUICK).connect();
    }
}
