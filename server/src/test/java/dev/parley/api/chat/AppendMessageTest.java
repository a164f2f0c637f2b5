package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewThread;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.sdk.Cursor;
import dev.parley.sdk.Parley;
import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.ThreadClient;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class AppendMessageTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start();

    private static final UUID OLIVIA = UUID.randomUUID();
    private static final Parley olivia = server.as(OLIVIA, "Olivia");

    private final ThreadClient thread =
            olivia.thread(olivia.createThread(NewThread.titled("test")).threadId());

    private static NewMessage reply(String key, String to) {
        return new NewMessage("a reply", key, null, null, to);
    }

    @Test
    void replyAnswersAMessageOfItsThread() {
        ThreadClient other =
                olivia.thread(olivia.createThread(NewThread.titled("other")).threadId());
        String elsewhere = other.post(NewMessage.text("elsewhere")).message().id();

        for (String to : List.of("nope", elsewhere, UUID.randomUUID().toString())) {
            ParleyProblem refused = refusal(() -> thread.post(reply("key", to)));
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.detail()).isEqualTo("reply_to names no message of this thread");
        }
        String first = thread.post(NewMessage.text("first")).message().id();
        PostedMessage posted = thread.post(reply("key", first));
        thread.message(first).delete();

        assertThat(thread.post(reply("key", first)).message()).isEqualTo(posted.message());
        assertThat(posted.message().threadSeq()).isEqualTo(2);
        try (Parley stranger = server.as(UUID.randomUUID(), "Stranger")) {
            ThreadClient hidden = stranger.thread(thread.id());
            assertThat(refusal(() -> hidden.post(reply("key", "nope"))).status())
                    .isEqualTo(404);
        }
    }

    @Test
    void theAnswerIsTheWholeMessage() {
        String first = thread.post(NewMessage.text("first")).message().id();
        ObjectNode metadata =
                Json.MAPPER.createObjectNode().put("colour", "blau").putNull("nothing");
        PostedMessage posted =
                thread.post(new NewMessage("第二 👋🏽 e\u0301", "key-2", List.of("user:" + OLIVIA), metadata, first));

        Message message = posted.message();
        assertThat(message.content()).isEqualTo("第二 👋🏽 e\u0301");
        assertThat(message.senderId()).isEqualTo(Actor.user(OLIVIA));
        assertThat(message.role()).isEqualTo("user");
        assertThat(message.metadata()).isEqualTo(metadata);
        assertThat(message.mentions()).containsExactly(Actor.user(OLIVIA));
        assertThat(message.clientMessageId()).isEqualTo("key-2");
        assertThat(message.replyTo()).isEqualTo(first);
        assertThat(message.threadSeq()).isEqualTo(2);
        assertThat(message.serverSeqAtSubmit()).isEqualTo(1);
        assertThat(UUID.fromString(message.id()).version()).isEqualTo(7);
        assertThat(posted.accepted()).isTrue();
        assertThat(posted.duplicate()).isFalse();
        assertThat(posted.messageId()).isEqualTo(message.id());
        assertThat(thread.latestMessages(10).messages()).last().isEqualTo(message);
    }

    @Test
    void sameKeySameBodyGivesTheFirstMessage() {
        ObjectNode metadata = (ObjectNode) Json.MAPPER.readTree("{\"a\": 1, \"b\": [true, null]}");
        ObjectNode reordered = (ObjectNode) Json.MAPPER.readTree("{\"b\":[true,null],\"a\":1.0}");
        PostedMessage first = thread.post(new NewMessage("hi", "k", null, metadata, null));
        thread.post(NewMessage.text("between"));
        PostedMessage again = thread.post(new NewMessage("hi", "k", List.of(), reordered, null));

        assertThat(again.duplicate()).isTrue();
        assertThat(again.message()).isEqualTo(first.message());
        assertThat(thread.view().lastSeq()).isEqualTo(2);
    }

    @Test
    void sameKeyOtherBodyIsRefused() {
        PostedMessage first = thread.post(NewMessage.keyed("hi", "k"));
        ParleyProblem problem = refusal(() -> thread.post(NewMessage.keyed("hi!", "k")));

        assertThat(problem.status()).isEqualTo(409);
        assertThat(problem.slug()).isEqualTo("key-reused");
        assertThat(problem.code()).isEqualTo("CONFLICT");
        assertThat(problem.members().get("seq").asLong()).isEqualTo(1);
        assertThat(problem.members().get("message_id").asString()).isEqualTo(first.messageId());
        assertThat(thread.view().lastSeq()).isEqualTo(1);
    }

    @Test
    void aHundredConcurrentSendsOfOneKeyAreOneMessage() throws Exception {
        List<Future<PostedMessage>> sends = new ArrayList<>();
        try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<PostedMessage> send = () -> thread.post(NewMessage.keyed("only once", "k"));
            for (int i = 0; i < 100; i++) {
                sends.add(senders.submit(send));
            }
        }
        List<PostedMessage> answers = new ArrayList<>();
        for (Future<PostedMessage> send : sends) {
            answers.add(send.get());
        }
        assertThat(answers.stream().map(PostedMessage::message).collect(Collectors.toSet()))
                .hasSize(1);
        assertThat(answers.stream().filter(answer -> !answer.duplicate())).hasSize(1);
        assertThat(thread.latestMessages(10).messages()).hasSize(1);
    }

    @Test
    void keysAreOfTheirSenderAndTheirThread() {
        UUID bobId = UUID.randomUUID();
        ThreadId shared = olivia.createThread(new NewThread(null, null, List.of(bobId.toString()), null, null, null))
                .threadId();
        PostedMessage hers = olivia.thread(shared).post(NewMessage.keyed("hers", "k"));
        PostedMessage his = server.as(bobId).thread(shared).post(NewMessage.keyed("his", "k"));
        PostedMessage elsewhere = thread.post(NewMessage.keyed("elsewhere", "k"));

        assertThat(List.of(hers, his, elsewhere)).noneMatch(PostedMessage::duplicate);
    }

    @Test
    void concurrentWritersGetDenseSeqsAndOneOrder() throws Exception {
        List<Future<?>> writing = new ArrayList<>();
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < 20; writer++) {
                String name = "w" + writer;
                writing.add(writers.submit(() -> {
                    for (int i = 0; i < 20; i++) {
                        PostedMessage posted = thread.post(NewMessage.text(name + " " + i));
                        assertThat(posted.message().serverSeqAtSubmit())
                                .isEqualTo(posted.message().threadSeq() - 1);
                    }
                }));
            }
        }
        for (Future<?> writer : writing) {
            writer.get();
        }
        List<Message> all = new ArrayList<>(thread.messagesAfter(0, 200).messages());
        all.addAll(thread.messagesAfter(200, 200).messages());
        assertThat(all.stream().map(Message::threadSeq))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 400).boxed().toList());
        assertThat(all.stream().map(Message::content).collect(Collectors.toSet()))
                .hasSize(400);
        for (int i = 1; i < all.size(); i++) {
            assertThat(all.get(i).createdAt()).isAfterOrEqualTo(all.get(i - 1).createdAt());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "中", "👋", "ع"})
    void contentIsLimitedInCodePoints(String character) {
        assertThat(thread.post(NewMessage.text(character.repeat(5_000)))
                        .message()
                        .content())
                .isEqualTo(character.repeat(5_000));
        ParleyProblem problem = refusal(() -> thread.post(NewMessage.text(character.repeat(5_001))));
        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.errors().getFirst().field()).isEqualTo("content");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\u0000b", "\ud83d", "x\udc4b"})
    void contentThatCannotBeStoredIsRefused(String content) {
        assertThat(refusal(() -> thread.post(NewMessage.text(content))).slug()).isEqualTo("invalid-fields");
        assertThat(thread.view().lastSeq()).isZero();
    }

    @Test
    void keysAreLimitedInLength() {
        thread.post(NewMessage.keyed("ok", "k".repeat(128)));
        assertThat(refusal(() -> thread.post(NewMessage.keyed("ok", "k".repeat(129))))
                        .errors()
                        .getFirst()
                        .field())
                .isEqualTo("client_message_id");
    }

    @Test
    void metadataIsLimitedInBytes() {
        // {"v":"…"} takes eight bytes around the value.
        ObjectNode fits = Json.MAPPER.createObjectNode().put("v", "x".repeat(16 * 1024 - 8));
        ObjectNode tooLarge = Json.MAPPER.createObjectNode().put("v", "x".repeat(16 * 1024 - 7));
        thread.post(new NewMessage("ok", null, null, fits, null));
        assertThat(refusal(() -> thread.post(new NewMessage("ok", null, null, tooLarge, null)))
                        .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run_id",
                "stage",
                "latency_ms",
                "message_id",
                "tool_name",
                "user_message_attachments",
                "worker_agent_output",
                "source",
                "sender_display_name",
                "mention_token",
                "thread_context",
                "passive",
                "is_from_me",
                "legacy_prefix",
                "withdrawn"
            })
    void metadataKeysOfTheServerAreRefused(String key) {
        ObjectNode metadata = Json.MAPPER.createObjectNode().put(key, "forged");
        ParleyProblem problem = refusal(() -> thread.post(new NewMessage("hi", null, null, metadata, null)));
        assertThat(problem.errors().getFirst().field()).isEqualTo("metadata." + key);
        assertThat(thread.view().lastSeq()).isZero();
    }

    @Test
    void onlyParticipantsCanBeMentioned() {
        Actor stranger = Actor.user(UUID.randomUUID());
        ParleyProblem problem =
                refusal(() -> thread.post(new NewMessage("hi", null, List.of(stranger.value()), null, null)));
        assertThat(problem.errors().getFirst().field()).isEqualTo("mentions[0]");
        assertThat(refusal(() -> thread.post(new NewMessage("hi", null, List.of("nobody"), null, null)))
                        .errors()
                        .getFirst()
                        .field())
                .isEqualTo("mentions[0]");
        assertThat(thread.view().lastSeq()).isZero();
    }

    @Test
    void aRetryGetsItsFirstAnswerThoughAMentionedMemberIsGone() {
        // The mention was valid when the key was first used; the key must be checked before the mention.
        PostedMessage first = thread.post(new NewMessage("hi", "k", List.of("user:" + OLIVIA), null, null));
        assertThat(thread.post(new NewMessage("hi", "k", List.of("user:" + OLIVIA), null, null))
                        .message())
                .isEqualTo(first.message());
    }

    @Test
    void strangersFindNothing() {
        Parley stranger = server.asSomebody();
        ThreadClient foreign = stranger.thread(thread.id());
        ThreadClient missing = stranger.thread(ThreadId.fresh());
        for (ThreadClient each : List.of(foreign, missing)) {
            List<ParleyProblem> problems = List.of(
                    refusal(() -> each.post(NewMessage.text("let me in"))),
                    refusal(each::view),
                    refusal(() -> each.latestMessages(10)),
                    refusal(() -> each.poll(Cursor.START, 10, Duration.ZERO)),
                    refusal(() -> each.open(Cursor.START).next(Duration.ofSeconds(5))));
            assertThat(problems)
                    .allMatch(problem -> problem.status() == 404
                            && problem.slug().equals("thread-not-found")
                            && problem.detail().equals("There is no such thread."));
        }
        assertThat(thread.view().lastSeq()).isZero();
    }

    @Test
    void aThreadIsMadeWithAllItsParts() {
        UUID bob = UUID.randomUUID();
        UUID carol = UUID.randomUUID();
        ThreadView made = olivia.createThread(new NewThread(
                "workspace", "计划", List.of(bob.toString()), List.of("user:" + carol), "invocation_only", "Welcome!"));
        assertThat(made.threadType()).isEqualTo("workspace");
        assertThat(made.title()).isEqualTo("计划");
        assertThat(made.participationMode()).isEqualTo("invocation_only");
        assertThat(made.participants().stream()
                        .map(each -> each.senderId().value())
                        .collect(Collectors.toSet()))
                .isEqualTo(Set.of("user:" + OLIVIA, "user:" + bob, "user:" + carol));
        assertThat(made.participants().getFirst().displayName()).isEqualTo("Olivia");
        assertThat(made.lastSeq()).isEqualTo(1);
        assertThat(made.lastMessagePreview()).isEqualTo("Welcome!");
        assertThat(made.unreadCount()).isZero();
        assertThat(server.as(bob).thread(made.threadId()).view().unreadCount()).isEqualTo(1);
        assertThat(server.as(carol)
                        .thread(made.threadId())
                        .post(NewMessage.text("hi"))
                        .accepted())
                .isTrue();
    }

    @Test
    void aThreadThatCannotBeIsNotMade() {
        for (NewThread wrong : List.of(
                new NewThread("secret", null, null, null, null, null),
                new NewThread(null, "x".repeat(201), null, null, null, null),
                new NewThread(null, null, List.of("not-a-uuid"), null, null, null),
                new NewThread(null, null, null, List.of("slack:U1"), null, null),
                new NewThread(null, null, null, null, "closed", null),
                new NewThread(null, null, null, null, null, "x".repeat(5_001)))) {
            assertThat(refusal(() -> olivia.createThread(wrong)).slug()).isEqualTo("invalid-fields");
        }
        assertThat(olivia.createThread(NewThread.titled("👋".repeat(200))).title())
                .isEqualTo("👋".repeat(200));
    }

    private static ParleyProblem refusal(ThrowingCallable call) {
        ParleyProblem problem = catchThrowableOfType(ParleyProblem.class, call);
        assertThat(problem).as("a refusal").isNotNull();
        return problem;
    }
}
