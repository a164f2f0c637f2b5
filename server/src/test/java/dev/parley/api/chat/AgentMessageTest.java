package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Messages of agents, and how stale the agents were when they posted. */
class AgentMessageTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static final ChatCaller olivia = ChatCaller.user(server, "Olivia");
    private static final ChatCaller.Agent agent = olivia.newAgent("Agent");

    private final String path = "/chat/threads/" + olivia.newThread(agent.api()).threadId();

    private void said(int count) {
        for (int i = 1; i <= count; i++) {
            assertThat(olivia.post(path + "/messages", Map.of("content", "said " + i))
                            .status())
                    .isEqualTo(201);
        }
    }

    private ChatCaller.Reply reply(Map<String, Object> body) {
        return agent.api().post(path + "/agent-messages", body);
    }

    @Test
    void agentPostsByItsTokenAndItsOwnerForIt() {
        PostedMessage own = reply(Map.of("content", "I am", "run_id", "run-1")).as(PostedMessage.class);
        assertThat(own.message().senderId()).isEqualTo(agent.actor());
        assertThat(own.message().role()).isEqualTo("assistant");
        assertThat(own.message().metadata()).hasToString("{\"run_id\":\"run-1\"}");
        assertThat(own.stale()).isNull();
        assertThat(own.message().staleLag()).isNull();
        for (String name : List.of(agent.view().agentId(), agent.actor().value())) {
            PostedMessage spokenFor = olivia.post(
                            path + "/agent-messages", Map.of("content", "for it", "agent_id", name))
                    .as(PostedMessage.class);
            assertThat(spokenFor.message().senderId()).isEqualTo(agent.actor());
            assertThat(spokenFor.message().role()).isEqualTo("assistant");
        }
    }

    @Test
    void strangersCannotPostForAnAgent() {
        ChatCaller paul = ChatCaller.user(server, "Paul");
        ChatCaller.Agent foreign = paul.newAgent("Foreign");
        for (String name : List.of(foreign.view().agentId(), UUID.randomUUID().toString())) {
            ChatCaller.Reply refused = olivia.post(path + "/agent-messages", Map.of("content", "x", "agent_id", name));
            assertThat(refused.status()).isEqualTo(404);
            assertThat(refused.slug()).isEqualTo("agent-not-found");
        }
        assertThat(olivia.post(path + "/agent-messages", Map.of("content", "x")).status())
                .as("which agent?")
                .isEqualTo(400);
        assertThat(olivia.post(path + "/agent-messages", Map.of("content", "x", "agent_id", "me"))
                        .status())
                .isEqualTo(400);
        ChatCaller.Agent elsewhere = olivia.newAgent("Elsewhere");
        assertThat(olivia.post(
                                path + "/agent-messages",
                                Map.of(
                                        "content",
                                        "x",
                                        "agent_id",
                                        elsewhere.view().agentId()))
                        .status())
                .as("it is not in the thread")
                .isEqualTo(404);
    }

    @Test
    void clientsCannotSetTheServersMembers() {
        PostedMessage posted = olivia.post(
                        path + "/messages",
                        Map.of(
                                "content",
                                "x",
                                "sender_id",
                                agent.actor().value(),
                                "role",
                                "system",
                                "thread_seq",
                                99,
                                "server_seq_at_submit",
                                7,
                                "created_at",
                                "2001-01-01T00:00:00Z",
                                "id",
                                "mine"))
                .as(PostedMessage.class);
        assertThat(posted.message().senderId()).isEqualTo(olivia.actor());
        assertThat(posted.message().role()).isEqualTo("user");
        assertThat(posted.message().threadSeq()).isEqualTo(1);
        assertThat(posted.message().serverSeqAtSubmit()).isZero();
        assertThat(posted.message().createdAt().toString()).doesNotStartWith("2001");
        assertThat(posted.message().id()).isNotEqualTo("mine");
        for (String key :
                List.of("run_id", "source", "passive", "is_from_me", "sender_type", "my_agent_output", "withdrawn")) {
            ChatCaller.Reply refused =
                    olivia.post(path + "/messages", Map.of("content", "x", "metadata", Map.of(key, true)));
            assertThat(refused.status()).as(key).isEqualTo(400);
            assertThat(refused.body().path("errors").get(0).path("field").asString())
                    .isEqualTo("metadata." + key);
        }
    }

    @Test
    void missedMessageOfAnotherSenderMakesStale() {
        said(3);
        PostedMessage fresh = reply(Map.of("content", "a", "base_seq", 3, "latest_seen_seq", 3))
                .as(PostedMessage.class);
        assertThat(fresh.stale()).isFalse();
        assertThat(fresh.message().staleLag()).isZero();
        assertThat(fresh.message().serverSeqAtSubmit()).isEqualTo(3);
        assertThat(fresh.message().baseSeq()).isEqualTo(3);
        PostedMessage second = reply(Map.of("content", "b", "base_seq", 3, "on_stale", "reject"))
                .as(PostedMessage.class);
        assertThat(second.stale()).as("its own message does not make it stale").isFalse();
        said(1);
        PostedMessage late = reply(Map.of("content", "c", "base_seq", 2, "latest_seen_seq", 4))
                .as(PostedMessage.class);
        assertThat(late.stale()).isTrue();
        assertThat(late.message().staleLag()).as("3 and 6, not its own").isEqualTo(2);
        assertThat(late.message().serverSeqAtSubmit()).isEqualTo(6);
    }

    @Test
    void revisionsMakeNoAgentStale() {
        PostedMessage said =
                olivia.post(path + "/messages", Map.of("content", "x")).as(PostedMessage.class);
        olivia.patch(path + "/messages/" + said.messageId(), Map.of("content", "y"));
        PostedMessage reply = reply(Map.of("content", "a", "base_seq", 1)).as(PostedMessage.class);
        assertThat(reply.stale()).isFalse();
        assertThat(reply.message().serverSeqAtSubmit()).isEqualTo(2);
    }

    @Test
    void impossibleBaseSeqIsRefused() {
        said(2);
        for (Map<String, Object> wrong : List.<Map<String, Object>>of(
                Map.of("content", "x", "base_seq", 3),
                Map.of("content", "x", "base_seq", 2, "latest_seen_seq", 1),
                Map.of("content", "x", "base_seq", 1, "latest_seen_seq", 3),
                Map.of("content", "x", "base_seq", -1),
                Map.of("content", "x", "on_stale", "maybe"))) {
            assertThat(reply(wrong).status()).as(wrong.toString()).isEqualTo(400);
        }
        assertThat(olivia.get(path + "/messages").as(MessagePage.class).messages())
                .hasSize(2);
    }

    @Test
    void refuseIfStaleAnswersTheMissedMessages() {
        said(2);
        reply(Map.of("content", "mine", "base_seq", 2));
        said(250);
        ChatCaller.Reply refused = reply(Map.of("content", "late", "base_seq", 1, "on_stale", "reject"));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.slug()).isEqualTo("stale-context");
        assertThat(refused.body().path("current_seq").asLong()).isEqualTo(253);
        assertThat(refused.body().path("stale_lag").asInt()).isEqualTo(251);
        List<Long> missed = new ArrayList<>();
        refused.body()
                .path("missed_messages")
                .forEach(message -> missed.add(message.path("thread_seq").asLong()));
        assertThat(missed).hasSize(200).startsWith(2L, 4L, 5L).doesNotContain(3L);
        assertThat(refused.body().path("missed_messages").get(0).path("content").asString())
                .isEqualTo("said 2");
        assertThat(olivia.get(path + "/messages?after_seq=253")
                        .as(MessagePage.class)
                        .messages())
                .isEmpty();
    }

    @Test
    void aDuplicateGetsTheFirstAnswerHoweverStaleItIsByNow() {
        said(2);
        Map<String, Object> body =
                Map.of("content", "once", "client_message_id", "k", "base_seq", 1, "latest_seen_seq", 2);
        ChatCaller.Reply first = reply(body);
        assertThat(first.status()).isEqualTo(201);
        said(3);
        Map<String, Object> retry =
                Map.of("content", "once", "client_message_id", "k", "base_seq", 0, "on_stale", "reject");
        ChatCaller.Reply again = reply(retry);
        assertThat(again.status()).isEqualTo(200);
        PostedMessage duplicate = again.as(PostedMessage.class);
        assertThat(duplicate.duplicate()).isTrue();
        assertThat(duplicate.message()).isEqualTo(first.as(PostedMessage.class).message());
        assertThat(duplicate.stale()).isTrue();
        assertThat(duplicate.message().staleLag()).isEqualTo(1);
        assertThat(reply(Map.of("content", "other", "client_message_id", "k")).slug())
                .isEqualTo("key-reused");
    }

    /**
     * Agents reply to the last message they read, and answer again when they are refused, while people keep posting.
     */
    @Test
    void noReplyIsAcceptedThatMissedAMessage() throws Exception {
        List<ChatCaller.Agent> agents = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            agents.add(olivia.newAgent("Agent " + i));
        }
        String room = "/chat/threads/"
                + olivia.newThread(agents.stream().map(ChatCaller.Agent::api).toArray(ChatCaller[]::new))
                        .threadId();
        olivia.post(room + "/messages", Map.of("content", "start"));
        AtomicLong latest = new AtomicLong(1);
        AtomicLong accepted = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        try (ExecutorService people = Executors.newFixedThreadPool(4);
                ExecutorService replies = Executors.newFixedThreadPool(16)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                all.add(people.submit(() -> {
                    PostedMessage posted = olivia.post(room + "/messages", Map.of("content", "question"))
                            .as(PostedMessage.class);
                    latest.accumulateAndGet(posted.message().threadSeq(), Math::max);
                }));
                ChatCaller speaker = agents.get(i % agents.size()).api();
                all.add(replies.submit(
                        () -> (replyUntilFresh(speaker, room, latest) ? accepted : refused).incrementAndGet()));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        // While people post without a pause, every agent may be refused each time; now one reply must succeed.
        assertThat(replyUntilFresh(agents.getFirst().api(), room, latest)).isTrue();
        accepted.incrementAndGet();
        List<Message> log = new ArrayList<>();
        for (long after = 0; log.size() == after; after = log.size()) {
            List<Message> page = olivia.get(room + "/messages?limit=200&after_seq=" + after)
                    .as(MessagePage.class)
                    .messages();
            if (page.isEmpty()) {
                break;
            }
            log.addAll(page);
        }
        assertThat(accepted.get() + refused.get()).isEqualTo(1_001);
        assertThat(log).hasSize((int) (1_001 + accepted.get()));
        for (Message message : log) {
            assertThat(message.serverSeqAtSubmit()).isEqualTo(message.threadSeq() - 1);
            Long base = message.baseSeq();
            if (base != null) {
                assertThat(log.subList(base.intValue(), (int) message.threadSeq() - 1))
                        .as("messages between base and reply of " + message.threadSeq())
                        .allMatch(between -> between.senderId().equals(message.senderId()));
            }
        }
    }

    private static boolean replyUntilFresh(ChatCaller speaker, String room, AtomicLong latest) {
        long base = latest.get();
        for (int attempt = 0; attempt < 2; attempt++) {
            ChatCaller.Reply reply = speaker.post(
                    room + "/agent-messages", Map.of("content", "answer", "base_seq", base, "on_stale", "reject"));
            if (reply.status() == 201) {
                latest.accumulateAndGet(reply.as(PostedMessage.class).message().threadSeq(), Math::max);
                return true;
            }
            assertThat(reply.slug()).isEqualTo("stale-context");
            base = reply.body().path("current_seq").asLong();
        }
        return false;
    }
}
