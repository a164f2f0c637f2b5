package dev.parley.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.Entry;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.NewAgent;
import dev.parley.protocol.chat.NewAgentMessage;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewThread;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Answers are lost after the server has committed: the SDK retries, and no change happens twice. */
class BadNetworkTest {
    private static final UUID USER = UUID.randomUUID();
    private static final RetryPolicy QUICK =
            new RetryPolicy(20, Duration.ofSeconds(30), Duration.ofMillis(1), Duration.ofMillis(20));

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    /** Calls while the next answers to such requests are dropped, and asserts that some were. */
    private static void losing(String method, Consumer<Parley> call) throws IOException {
        try (FaultProxy proxy = FaultProxy.to(server.uri());
                Parley client = Parley.at(proxy.uri())
                        .token(new Token(server.token(USER, "Unlucky")))
                        .retryCalls(QUICK)
                        .retryStreams(QUICK)
                        .connect()) {
            proxy.dropNextAnswers(2, line -> line.startsWith(method + " "));
            call.accept(client);
            assertThat(proxy.droppedAnswers()).isEqualTo(2);
        }
    }

    private static ThreadId thread(String title) {
        return server.as(USER).createThread(NewThread.titled(title)).threadId();
    }

    @Test
    void aThreadIsMadeOnce() throws IOException {
        losing("POST", client -> {
            ThreadView made =
                    client.createThread(new NewThread(null, "Only one", null, null, null, "its first message"));
            assertThat(client.threads().all(ThreadQuery.titled("Only one")).map(ThreadView::threadId))
                    .containsExactly(made.threadId());
            assertThat(made.lastSeq()).isEqualTo(1);
            assertThat(client.thread(made.threadId()).latestMessages(10).messages())
                    .hasSize(1);
        });
    }

    @Test
    void aMessageIsWrittenOnce() throws IOException {
        ThreadId id = thread("Messages");
        losing("POST", client -> {
            PostedMessage posted = client.thread(id).post(NewMessage.text("once"));
            assertThat(posted.duplicate()).isTrue();
            assertThat(client.thread(id).view().lastSeq()).isEqualTo(1);
        });
    }

    @Test
    void anAcceptedReplyStaysAcceptedIfItsRetryIsStale() throws IOException {
        Parley owner = server.as(USER);
        Actor agent = owner.owner().createAgent(NewAgent.external("Bo")).senderId();
        ThreadId id = owner.createThread(new NewThread(null, "Replies", null, List.of(agent.value()), null, null))
                .threadId();
        losing("POST", client -> {
            NewAgentMessage reply =
                    NewAgentMessage.after(0, "first").by(agent).keyed("k").unlessStale();
            assertThat(client.thread(id).postAsAgent(reply).duplicate()).isTrue();
            owner.thread(id).post(NewMessage.text("second"));
            assertThat(client.thread(id).postAsAgent(reply).message().threadSeq())
                    .isEqualTo(1);
        });
    }

    @Test
    void revisionsAreMadeOnce() throws IOException {
        ThreadId id = thread("Revisions");
        String message = server.as(USER).thread(id).post(NewMessage.text("a")).messageId();
        losing("PATCH", client -> client.thread(id).message(message).edit("b"));
        losing("PUT", client -> client.thread(id).message(message).react("👍"));
        losing("DELETE", client -> client.thread(id).message(message).unreact("👍"));
        losing("DELETE", client -> client.thread(id).message(message).delete());
        assertThat(server.as(USER).thread(id).entriesAfter(0, 100).entries())
                .extracting(Entry::kind)
                .containsExactly("message", "edit", "reaction", "reaction_removed", "deletion");
    }

    @Test
    void changesOfTheThreadGoThrough() throws IOException {
        ThreadId id = thread("Changes");
        losing(
                "PATCH",
                client ->
                        assertThat(client.thread(id).rename("Changed").title()).isEqualTo("Changed"));
        losing("PATCH", client -> client.thread(id).archive(true));
        Actor guest = Actor.user(UUID.randomUUID());
        losing(
                "POST",
                client -> assertThat(client.thread(id)
                                .participants()
                                .add(List.of(guest))
                                .participants())
                        .hasSize(2));
        losing("DELETE", client -> client.thread(id).participants().remove(guest));
        losing("DELETE", client -> client.thread(id).delete());
    }

    @Test
    void leavingGoesThrough() throws IOException {
        ThreadId id = thread("Leaving");
        losing("DELETE", client -> client.thread(id).participants().leave());
        assertThat(server.as(USER).threads().all(ThreadQuery.titled("Leaving"))).isEmpty();
    }

    @Test
    void aSubscriptionThatIsCutAgainAndAgainMissesNothing() throws IOException {
        ThreadId id = thread("Cuts");
        List<String> received = new CopyOnWriteArrayList<>();
        try (FaultProxy proxy = FaultProxy.to(server.uri());
                Parley client = Parley.at(proxy.uri())
                        .token(new Token(server.token(USER, "Unlucky")))
                        .retryStreams(QUICK)
                        .connect();
                Subscription subscription = client.thread(id)
                        .subscribe(Cursor.START, (EventEnvelope event) -> received.add(event.eventId()))) {
            ThreadClient writer = server.as(USER).thread(id);
            for (int i = 1; i <= 60; i++) {
                writer.post(NewMessage.text("message " + i));
                if (i % 10 == 0) {
                    proxy.cutAll();
                }
                if (i % 20 == 0) {
                    writer.rename("Cuts " + i);
                }
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> received.size() == 63);
            assertThat(subscription.violations()).isZero();
            assertThat(received).doesNotHaveDuplicates();
            assertThat(received.stream().filter(each -> !each.contains("-")).map(Integer::valueOf))
                    .isSorted()
                    .hasSize(60);
        }
    }
}
