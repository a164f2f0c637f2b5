package dev.parley.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.RunView;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.PassedEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.chat.AgentView;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.NewAgent;
import dev.parley.protocol.chat.NewAgentToken;
import dev.parley.protocol.chat.NewThread;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Runs by the SDK, over a network that cuts streams and loses answers. */
class RunFollowingTest {
    private static final UUID USER = UUID.randomUUID();
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final RetryPolicy QUICK =
            new RetryPolicy(50, Duration.ofSeconds(30), Duration.ofMillis(1), Duration.ofMillis(20));

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final ThreadId thread = ThreadId.fresh();

    private static Parley through(FaultProxy proxy, String token) {
        return Parley.at(proxy.uri())
                .token(new Token(token))
                .retryCalls(QUICK)
                .retryStreams(QUICK)
                .connect();
    }

    @Test
    void aRunFollowedThroughCutsMatchesTheLog() throws IOException, InterruptedException {
        List<PlacedEvent> received = new CopyOnWriteArrayList<>();
        try (FaultProxy proxy = FaultProxy.to(server.uri());
                Parley client = through(proxy, server.token(USER, "Unlucky"))) {
            client.runs().start(thread, "run-1", "/slow 40");
            try (RunSubscription subscription = client.runs().follow(thread, "run-1", received::add)) {
                for (int cuts = 1; cuts <= 6; cuts++) {
                    int seen = 5 * cuts;
                    await().atMost(SOON).pollInterval(Duration.ofMillis(5)).until(() -> received.size() >= seen);
                    proxy.cutAll();
                }
                assertThat(subscription.awaitEnd(SOON)).isTrue();
                assertThat(subscription.state()).isInstanceOf(StreamState.Ended.class);
                assertThat(subscription.violations()).isZero();
            }
        }
        List<PlacedEvent> replayed = replay("run-1", null);
        assertThat(received).isEqualTo(replayed);
        assertThat(replayed).extracting(PlacedEvent::position).isSorted().doesNotHaveDuplicates();
        assertThat(replay("run-1", received.get(9).position())).isEqualTo(received.subList(10, received.size()));
        assertThat(text(received)).startsWith("1 2 3 ").endsWith("39 40.");
    }

    @Test
    void aRunIsStartedOnceThoughItsAnswersAreLost() throws IOException {
        try (FaultProxy proxy = FaultProxy.to(server.uri());
                Parley client = through(proxy, server.token(USER, "Unlucky"))) {
            proxy.dropNextAnswers(2, line -> line.startsWith("POST "));
            String runId = client.runs().start(thread, "Hello 世界").runId();
            assertThat(proxy.droppedAnswers()).isEqualTo(2);
            assertThat(client.runs().list(thread).runs())
                    .extracting(RunView::runId)
                    .containsExactly(runId);
            assertThat(text(replay(runId, null))).isEqualTo("You said: Hello 世界");
            assertThat(client.thread(thread).latestMessages(10).messages())
                    .extracting(Message::content)
                    .containsExactly("Hello 世界", "You said: Hello 世界");
        }
    }

    @Test
    void aFollowerOfTheThreadGetsItsRunsAndMessages() throws InterruptedException {
        List<PlacedEvent> received = new CopyOnWriteArrayList<>();
        Runs runs = server.as(USER).runs();
        runs.start(thread, "run-1", "one");
        replay("run-1", null);
        try (RunSubscription subscription = runs.followThread(thread, 0, received::add)) {
            runs.start(thread, "run-2", "two");
            await().atMost(SOON)
                    .until(() ->
                            received.stream().filter(PlacedEvent::isTerminal).count() == 2);
            assertThat(subscription.violations()).isZero();
        }
        assertThat(received.stream().filter(PlacedEvent::isTerminal).map(PlacedEvent::runId))
                .containsExactly(Optional.of("run-1"), Optional.of("run-2"));
        assertThat(received.stream()
                        .filter(event -> event.event() instanceof PassedEvent.Custom custom
                                && custom.name().equals("message_committed"))
                        .map(event -> ((PassedEvent.Custom) event.event())
                                .value()
                                .path("content")
                                .asString()))
                .containsExactly("one", "You said: one", "two", "You said: two");
    }

    @Test
    void anInvalidPositionEndsTheFollowingWithAResync() throws InterruptedException {
        List<Resync> resyncs = new CopyOnWriteArrayList<>();
        Runs runs = server.as(USER).runs();
        runs.start(thread, "run-1", "one");
        replay("run-1", null);
        RunListener listener = new RunListener() {
            @Override
            public void event(PlacedEvent event) {}

            @Override
            public void resync(Resync resync) {
                resyncs.add(resync);
            }
        };
        try (RunSubscription subscription = runs.follow(thread, "run-1", 1_000_000L, listener)) {
            assertThat(subscription.awaitEnd(SOON)).isTrue();
            assertThat(resyncs).singleElement().satisfies(resync -> {
                assertThat(resync.isAhead()).isTrue();
                assertThat(resync.reload()).isNotEmpty();
            });
        }
    }

    @Test
    void aCancelledRunEndsForItsFollower() throws InterruptedException {
        List<PlacedEvent> received = new CopyOnWriteArrayList<>();
        Runs runs = server.as(USER).runs();
        runs.start(thread, "run-1", "/slow 2000");
        try (RunSubscription subscription = runs.follow(thread, "run-1", received::add)) {
            await().atMost(SOON).until(() -> received.size() > 5);
            assertThat(runs.cancel(thread, "run-1").status()).isEqualTo("accepted");
            assertThat(runs.cancel(thread, "run-1").status()).isEqualTo("finished");
            assertThat(runs.cancel(thread, "run-2").status()).isEqualTo("unknown");
            assertThat(subscription.awaitEnd(SOON)).isTrue();
        }
        assertThat(received.getLast().event())
                .isInstanceOfSatisfying(
                        RunEvent.Finished.class,
                        finished -> assertThat(finished.outcome()).isInstanceOf(Outcome.Cancelled.class));
        assertThat(runs.find(thread, "run-1")).map(RunView::state).contains("cancelled");
    }

    @Test
    void anAgentDrivesItsRunThoughAnswersAreLost() throws IOException {
        Parley owner = server.as(USER);
        AgentView agent = owner.owner().createAgent(NewAgent.external("Bo"));
        String token = Objects.requireNonNull(owner.owner()
                .createToken(
                        new NewAgentToken(agent.senderId().value(), null, List.of("observe", "speak", "run"), null))
                .rawToken());
        ThreadId made = owner.createThread(new NewThread(
                        null, "Driven", null, List.of(agent.senderId().value()), null, null))
                .threadId();
        try (FaultProxy proxy = FaultProxy.to(server.uri());
                Parley client = through(proxy, token)) {
            proxy.dropNextAnswers(2, line -> line.startsWith("POST "));
            DrivenRun run = client.runs().drive(made, "driven");
            run.post(new TextEvent.Start("m"));
            for (String word : List.of("so ", "far ", "so ", "good")) {
                proxy.dropNextAnswers(1, line -> line.startsWith("POST "));
                assertThat(run.post(new TextEvent.Content("m", word)).stop()).isFalse();
            }
            assertThat(run.heartbeat().next()).isEqualTo(5);
            // Another process resumes at the position of this one.
            DrivenRun resumed = client.runs().drive(made, "driven", run.standing());
            assertThat(resumed.post(new TextEvent.End("m"), new RunEvent.Finished(made.toString(), "driven"))
                            .stop())
                    .isTrue();
            assertThat(proxy.droppedAnswers()).isEqualTo(6);
        }
        assertThat(owner.runs().find(made, "driven")).map(RunView::state).contains("completed");
        assertThat(owner.thread(made).latestMessages(10).messages())
                .extracting(Message::content)
                .containsExactly("so far so good");
    }

    private List<PlacedEvent> replay(String runId, @Nullable Long after) {
        List<PlacedEvent> events = new ArrayList<>();
        try (RunStream stream = server.as(USER).runs().open(thread, runId, after)) {
            while (!stream.isEnded()) {
                events.add(stream.next(SOON).orElseThrow());
            }
        }
        return events;
    }

    private static String text(List<PlacedEvent> events) {
        return events.stream()
                .map(PlacedEvent::event)
                .map(RunFollowingTest::delta)
                .collect(Collectors.joining());
    }

    private static String delta(AguiEvent event) {
        return event instanceof TextEvent.Content content ? content.delta() : "";
    }
}
