package dev.parley.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.AgentTokenView;
import dev.parley.protocol.chat.AgentView;
import dev.parley.protocol.chat.AuditAct;
import dev.parley.protocol.chat.Caller;
import dev.parley.protocol.chat.Entry;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.InboxHint;
import dev.parley.protocol.chat.IntegrationKeyView;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.NewAgent;
import dev.parley.protocol.chat.NewAgentMessage;
import dev.parley.protocol.chat.NewAgentToken;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewThread;
import dev.parley.protocol.chat.Participant;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.protocol.ingest.IngestAnswer;
import dev.parley.protocol.ingest.IngestChat;
import dev.parley.protocol.ingest.IngestRevision;
import dev.parley.testing.RunningServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class WholeFaceTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final UUID OPERATOR = UUID.randomUUID();

    @AutoClose
    private static final RunningServer server =
            RunningServer.start("--rate-limits", "off", "--operators", "user:" + OPERATOR);

    /** An external agent in a thread with its owner. */
    private record Scene(Parley owner, Parley agent, Actor agentActor, ThreadClient asOwner, ThreadClient asAgent) {
        static Scene set() {
            Parley owner = server.asSomebody();
            AgentView agent = owner.owner().createAgent(NewAgent.external("Bo"));
            AgentTokenView token = owner.owner().createToken(NewAgentToken.of(agent.senderId()));
            Parley asAgent = Parley.connect(server.uri(), new Token(Objects.requireNonNull(token.rawToken())));
            ThreadId thread = owner.createThread(new NewThread(
                            null, "Scene", null, List.of(agent.senderId().value()), null, null))
                    .threadId();
            return new Scene(owner, asAgent, agent.senderId(), owner.thread(thread), asAgent.thread(thread));
        }
    }

    @Test
    void anAgentHearsThinksAgainAndAnswers() {
        Scene scene = Scene.set();
        try (Parley agent = scene.agent();
                EventStream events = scene.asAgent().open(Cursor.START)) {
            scene.asOwner().post(NewMessage.text("one"));
            EventEnvelope first = events.next(SOON).orElseThrow();
            assertThat(first.content()).isEqualTo("one");
            assertThat(first.shouldRespond()).isTrue();
            scene.asOwner().post(NewMessage.text("two"));

            NewAgentMessage reply =
                    NewAgentMessage.after(first.threadSeq(), "to one").unlessStale();
            ParleyProblem refused = catchThrowableOfType(
                    ParleyProblem.class, () -> scene.asAgent().postAsAgent(reply));
            StaleContext stale = refused.staleContext().orElseThrow();
            assertThat(stale.missed()).extracting(Message::content).containsExactly("two");
            assertThat(stale.staleLag()).isEqualTo(1);
            assertThat(stale.isCut()).isFalse();
            assertThat(Participation.isStale(first.threadSeq(), stale.currentSeq()))
                    .isTrue();

            PostedMessage posted = scene.asAgent()
                    .postAsAgent(
                            NewAgentMessage.after(stale.currentSeq(), "to both").unlessStale());
            assertThat(posted.stale()).isFalse();
            assertThat(posted.message().senderId()).isEqualTo(scene.agentActor());
            assertThat(posted.message().serverSeqAtSubmit()).isEqualTo(stale.currentSeq());
            // Its own messages do not make it stale.
            PostedMessage more = scene.asAgent()
                    .postAsAgent(NewAgentMessage.after(stale.currentSeq(), "and more")
                            .unlessStale());
            assertThat(more.stale()).isFalse();
        }
    }

    @Test
    void theOwnerSpeaksForTheAgent() {
        Scene scene = Scene.set();
        PostedMessage posted =
                scene.asOwner().postAsAgent(NewAgentMessage.text("hello").by(scene.agentActor()));
        assertThat(posted.message().senderId()).isEqualTo(scene.agentActor());
        assertThat(posted.message().role()).isEqualTo("assistant");
        assertThat(posted.stale()).isNull();
        scene.agent().close();
    }

    @Test
    void revisionsAreSeenAndStayInTheLog() {
        Parley client = server.asSomebody();
        ThreadClient thread =
                client.thread(client.createThread(NewThread.titled("Thoughts")).threadId());
        String first = thread.post(NewMessage.text("frist")).messageId();
        String second = thread.post(NewMessage.text("second")).messageId();
        assertThat(thread.message(first).edit("first").content()).isEqualTo("first");
        assertThat(thread.message(first).react("👍").reactions())
                .singleElement()
                .satisfies(reaction -> assertThat(reaction.emoji()).isEqualTo("👍"));
        assertThat(thread.message(first).unreact("👍").reactions()).isEmpty();
        thread.message(second).delete();
        List<Message> shown = thread.latestMessages(10).messages();
        assertThat(shown).extracting(Message::content).containsExactly("first", "");
        assertThat(shown.getLast().deletedAt()).isNotNull();
        assertThat(thread.entriesAfter(0, 10).entries())
                .extracting(Entry::kind)
                .containsExactly("message", "message", "edit", "reaction", "reaction_removed", "deletion");
    }

    @Test
    void threadsAreChangedAndLeft() {
        Parley host = server.asSomebody();
        Parley guest = server.asSomebody();
        Actor guestActor = guest.whoAmI().senderId();
        ThreadClient thread =
                host.thread(host.createThread(NewThread.titled("Old")).threadId());
        ThreadClient asGuest = guest.thread(thread.id());
        assertThat(thread.rename("New").title()).isEqualTo("New");
        assertThat(thread.participants().add(List.of(guestActor)).participants())
                .extracting(Participant::senderId)
                .contains(guestActor);
        thread.post(NewMessage.text("hi"));
        assertThat(asGuest.view().unreadCount()).isEqualTo(1);
        assertThat(asGuest.markRead()).isEqualTo(1);
        assertThat(asGuest.view().unreadCount()).isZero();
        assertThat(thread.markRead(0)).isEqualTo(1);

        thread.participants().setMode("invocation_only");
        assertThat(asGuest.view().participationMode()).isEqualTo("invocation_only");

        thread.archive(true);
        assertThat(catchThrowableOfType(ParleyProblem.class, () -> asGuest.post(NewMessage.text("late")))
                        .slug())
                .isEqualTo("thread-archived");
        assertThat(host.threads().list(ThreadQuery.ARCHIVED).threads())
                .extracting(ThreadView::threadId)
                .containsExactly(thread.id());
        thread.archive(false);

        asGuest.participants().leave();
        assertThat(catchThrowableOfType(ParleyProblem.class, asGuest::view).status())
                .isEqualTo(404);
        thread.delete();
        assertThat(catchThrowableOfType(ParleyProblem.class, thread::view).status())
                .isEqualTo(404);
    }

    @Test
    void anAgentsOwnModeIsSetAndTakenBack() {
        Scene scene = Scene.set();
        scene.asOwner().participants().setMode(scene.agentActor(), "invocation_only");
        assertThat(modeOfAgent(scene)).isEqualTo("invocation_only");
        scene.asOwner().participants().setMode(scene.agentActor(), null);
        assertThat(modeOfAgent(scene)).isNull();
        scene.agent().close();
    }

    private static @Nullable String modeOfAgent(Scene scene) {
        return scene.asOwner().view().participants().stream()
                .filter(each -> each.senderId().equals(scene.agentActor()))
                .findFirst()
                .orElseThrow()
                .participationMode();
    }

    @Test
    void allThreadsAreListedOverSeveralPages() {
        Parley client = server.asSomebody();
        List<ThreadId> made = new ArrayList<>(IntStream.range(0, 7)
                .mapToObj(i ->
                        client.createThread(NewThread.titled("Number " + i)).threadId())
                .toList());
        assertThat(client.threads().all(new ThreadQuery(false, null, 3)).map(ThreadView::threadId))
                .containsExactlyElementsOf(made.reversed());
        assertThat(client.threads().all(ThreadQuery.titled("number 3")).map(ThreadView::threadId))
                .containsExactly(made.get(3));
        assertThat(client.threads().list(new ThreadQuery(false, null, 3)).nextCursor())
                .isNotNull();
    }

    @Test
    void theSamePeopleFindTheirThreadAgain() {
        Parley client = server.asSomebody();
        NewThread wanted =
                new NewThread(null, null, List.of(UUID.randomUUID().toString()), null, null, null, null, true);
        assertThat(client.createThread(wanted).threadId())
                .isEqualTo(client.createThread(wanted).threadId());
    }

    @Test
    void theInboxTellsWhatChanged() {
        Scene scene = Scene.set();
        List<InboxHint> hints = new CopyOnWriteArrayList<>();
        try (Parley agent = scene.agent();
                InboxSubscription inbox = agent.inbox(hints::add)) {
            await().atMost(SOON).until(() -> inbox.state() instanceof StreamState.Open);
            scene.asOwner().post(NewMessage.text("news"));
            await().atMost(SOON)
                    .until(() -> hints.stream()
                            .anyMatch(hint ->
                                    hint.threadId().equals(scene.asOwner().id())
                                            && hint.lastSeq() == 1
                                            && hint.unreadCount() == 1));
        }
    }

    @Test
    void typingIsSeenLive() {
        Scene scene = Scene.set();
        List<SseFrame> passing = new CopyOnWriteArrayList<>();
        StreamListener listener = new StreamListener() {
            @Override
            public void event(EventEnvelope event) {}

            @Override
            public void passing(SseFrame frame) {
                passing.add(frame);
            }
        };
        try (Parley agent = scene.agent();
                Subscription subscription = scene.asOwner().subscribe(Cursor.START, listener)) {
            await().atMost(SOON).until(() -> subscription.state() instanceof StreamState.Open);
            // Live only: repeated until the stream's first bytes have arrived.
            await().atMost(SOON).until(() -> {
                scene.asAgent().typing(true);
                return !passing.isEmpty();
            });
            assertThat(passing.getFirst().event()).isEqualTo("typing");
            assertThat(passing.getFirst().data()).contains(scene.agentActor().value(), "started");
        }
    }

    @Test
    void aTicketOpensItsStreamOnly() throws Exception {
        Parley client = server.asSomebody();
        ThreadClient thread =
                client.thread(client.createThread(NewThread.titled("Browser")).threadId());
        String ticket = client.streamTicket(thread.streamPath());
        try (HttpClient browser = HttpClient.newHttpClient()) {
            assertThat(status(browser, thread.streamPath() + "?ticket=" + ticket))
                    .isEqualTo(200);
            assertThat(status(browser, Parley.INBOX_PATH + "?ticket=" + ticket)).isEqualTo(401);
            browser.shutdownNow();
        }
    }

    private static int status(HttpClient browser, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server.uri() + path)).build();
        return browser.sendAsync(request, BodyHandlers.ofInputStream())
                .get(SOON.toSeconds(), TimeUnit.SECONDS)
                .statusCode();
    }

    @Test
    void ownersKeepAgentsAndTokens() {
        Parley client = server.asSomebody();
        Owner owner = client.owner();
        AgentView made = owner.createAgent(NewAgent.external("Ada"));
        assertThat(owner.changeAgent(made.agentId(), new NewAgent("Eve", null, null, "shared", null)))
                .satisfies(changed -> {
                    assertThat(changed.displayName()).isEqualTo("Eve");
                    assertThat(changed.visibility()).isEqualTo("shared");
                    assertThat(changed.kind()).isEqualTo("external");
                });
        assertThat(owner.agent(made.agentId()).senderId()).isEqualTo(made.senderId());
        AgentTokenView token = owner.createToken(NewAgentToken.of(made.senderId()));
        assertThat(owner.tokens()).singleElement().satisfies(listed -> {
            assertThat(listed.tokenId()).isEqualTo(token.tokenId());
            assertThat(listed.rawToken()).isNull();
        });
        try (Parley agent = Parley.connect(server.uri(), new Token(Objects.requireNonNull(token.rawToken())))) {
            Caller me = agent.whoAmI();
            assertThat(me.senderId()).isEqualTo(made.senderId());
            assertThat(me.kind()).isEqualTo("agent");
            owner.revokeToken(token.tokenId());
            assertThat(catchThrowableOfType(ParleyProblem.class, agent::whoAmI).status())
                    .isEqualTo(401);
        }
        owner.deleteAgent(made.agentId());
        assertThat(owner.agents()).isEmpty();
    }

    @Test
    void anIntegrationBringsAMessageOnce() {
        String key = Objects.requireNonNull(
                server.as(OPERATOR).operator().createKey("slack").rawKey());
        ObjectNode metadata = Json.MAPPER
                .createObjectNode()
                .put("source", "slack")
                .put("sender_id", "slack:U1")
                .put("sender_display_name", "Olivia")
                .put("sender_type", "human")
                .put("external_message_id", UUID.randomUUID().toString());
        try (Parley relay = Parley.connect(server.uri(), new Token(key))) {
            assertThat(relay.explain(IngestChat.of("testing from slack", metadata))
                            .wouldStore())
                    .isTrue();
            IngestAnswer first = relay.ingest(IngestChat.of("testing from slack", metadata));
            IngestAnswer second = relay.ingest(IngestChat.of("testing from slack", metadata));

            assertThat(first.duplicate()).isFalse();
            assertThat(first.engagement().run()).isTrue();
            assertThat(second.duplicate()).isTrue();
            assertThat(second.messageId()).isEqualTo(first.messageId());
            assertThat(relay.thread(first.sessionId()).view().title()).isEqualTo("testing from slack");
            assertThat(relay.revise(new IngestRevision(
                                    "slack", null, "C1", "unknown", null, "deleted", null, null, null, null))
                            .result())
                    .isEqualTo("waiting");
        }
    }

    @Test
    void operatorsMakeKeysAndAreAudited() {
        Operator operator = server.as(OPERATOR).operator();
        IntegrationKeyView key = operator.createKey("relay");
        assertThat(key.rawKey()).isNotBlank();
        assertThat(operator.keys()).extracting(IntegrationKeyView::keyId).contains(key.keyId());
        operator.revokeKey(key.keyId());
        assertThat(operator.keys()).extracting(IntegrationKeyView::keyId).doesNotContain(key.keyId());
        List<AuditAct> acts = operator.audit().acts();
        assertThat(acts)
                .extracting(AuditAct::action)
                .containsSubsequence("integration_key.revoked", "integration_key.created");
        assertThat(operator.auditBefore(acts.getFirst().auditId()).acts()).doesNotContain(acts.getFirst());
        assertThat(catchThrowableOfType(
                                ParleyProblem.class,
                                () -> server.asSomebody().operator().audit())
                        .status())
                .isEqualTo(403);
    }
}
