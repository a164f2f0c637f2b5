package dev.parley.face.chat;

import dev.parley.agents.Agents;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.http.Unrated;
import dev.parley.limits.Limits;
import dev.parley.log.CommandOutcome;
import dev.parley.log.Direction;
import dev.parley.log.LogPages;
import dev.parley.log.MessageFilter;
import dev.parley.log.PageSize;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.EntryPage;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessageEdit;
import dev.parley.protocol.chat.NewAgentMessage;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.runs.AgentMessages;
import dev.parley.runs.AnswerUsage;
import dev.parley.runs.Runs;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.Revisions;
import dev.parley.threads.Speaker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The routes of messages: posting by a person or an agent, reading, revising. */
public final class MessageFace {
    private final Messages messages;
    private final AgentMessages agentMessages;
    private final Runs runs;
    private final Revisions revisions;
    private final Agents agents;
    private final Limits.Requests limits;

    public MessageFace(
            Messages messages,
            AgentMessages agentMessages,
            Runs runs,
            Revisions revisions,
            Agents agents,
            Limits.Requests limits) {
        this.messages = messages;
        this.agentMessages = agentMessages;
        this.runs = runs;
        this.revisions = revisions;
        this.agents = agents;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        String thread = "/api/v1/chat/threads/{thread_id}";
        String message = thread + "/messages/{message_id}";
        long body = limits.body();
        routes.post(thread + "/messages", body, Unrated.BY_HANDLER, this::postMessage)
                .post(thread + "/agent-messages", body, Rate.AGENT_MESSAGE, this::postAgentMessage)
                .get(thread + "/messages", Rate.POLL, this::listMessages)
                .patch(message, body, Unrated.BY_HANDLER, this::editMessage)
                .delete(message, Unrated.BY_HANDLER, this::deleteMessage)
                .put(message + "/reactions/{emoji}", body, Unrated.BY_HANDLER, this::react)
                .delete(message + "/reactions/{emoji}", Unrated.BY_HANDLER, this::unreact);
    }

    private Answer postMessage(Call<Principal> call) {
        if (!(call.caller() instanceof Principal.User)) {
            throw new ProblemException(Problem.FORBIDDEN, "Only people post here; agents use agent-messages.");
        }
        // The call is counted after the check, so that agents that post here are refused and not counted.
        call.count(Rate.USER_MESSAGE);
        Messages.Utterance utterance = ChatRequests.utterance(call.json(NewMessage.class));
        return posted(messages.post(call.caller(), Speaker.of(call.caller()), ChatRequests.thread(call), utterance));
    }

    private Answer postAgentMessage(Call<Principal> call) {
        NewAgentMessage body = call.json(NewAgentMessage.class);
        Messages.Utterance utterance = ChatRequests.utterance(body, limits.opaqueId());
        ThreadId thread = ChatRequests.thread(call);
        Speaker speaker = speaker(call.caller(), body);
        try {
            return posted(agentMessages.post(call.caller(), speaker, thread, utterance));
        } catch (ProblemException stale) {
            // Missed messages are returned only to callers that may read them.
            boolean withMessages = stale.problem() == Problem.STALE_CONTEXT
                    && call.caller().scopes().contains(Capability.CAN_READ);
            throw withMessages ? withMissed(call, stale, thread, speaker.actor(), body.baseSeq()) : stale;
        }
    }

    /** The author: an agent speaks for itself; its owner may name it as the author. */
    private Speaker speaker(Principal caller, NewAgentMessage body) {
        return switch (caller) {
            case Principal.Agent agent -> {
                if (body.agentId() != null
                        && !ChatRequests.agent("agent_id", body.agentId()).equals(agent.actor())) {
                    throw ProblemException.invalidField(
                            "agent_id", "names another agent than the one whose token this is; leave it out");
                }
                yield Speaker.of(agent);
            }
            case Principal.User user -> {
                Actor named = ChatRequests.agent(
                        "agent_id",
                        Optional.ofNullable(body.agentId())
                                .orElseThrow(() -> ProblemException.invalidField(
                                        "agent_id", "is required when a user speaks for an agent")));
                yield Speaker.agent(agents.requireOwned(
                                user,
                                UuidV7.parseCanonical(named.value().substring("agent:".length()))
                                        .orElseThrow())
                        .actor());
            }
            case Principal.Integration integration ->
                throw new ProblemException(Problem.FORBIDDEN, "An integration cannot speak as an agent.");
        };
    }

    /** Adds the missed messages to a refusal, so that a stale author can decide again in one round trip. */
    private ProblemException withMissed(
            Call<Principal> call, ProblemException stale, ThreadId thread, Actor author, @Nullable Long baseSeq) {
        long base = baseSeq == null ? 0 : baseSeq;
        List<RevisedMessage> missed = call.reading(
                        room -> messages.missed(thread, author, base, room), Messages.Page::bytes)
                .messages();
        Map<String, Object> members = new HashMap<>(stale.members());
        members.put("missed_messages", views(thread, missed));
        return new ProblemException(stale.problem(), stale.detail(), stale.errors(), members);
    }

    private static Answer posted(CommandOutcome.Placed placed) {
        return Answer.of(placed.duplicate() ? 200 : 201, ChatViews.posted(placed));
    }

    private Answer listMessages(Call<Principal> call) {
        ThreadId thread = ChatRequests.thread(call);
        int limit = ChatRequests.limit(call, limits.page());
        Optional<Long> after = ChatRequests.seq(call, "after_seq");
        Optional<Long> before = ChatRequests.seq(call, "before_seq");
        if (after.isPresent() && before.isPresent()) {
            throw ProblemException.invalidField("after_seq", "cannot be combined with before_seq");
        }
        MessageFilter filter = filter(call, thread);
        if (ChatRequests.rawRevisions(call)) {
            if (!filter.isEmpty()) {
                throw ProblemException.invalidField("revisions", "cannot be combined with run_id or stage");
            }
            return Answer.ok(rawPage(call, thread, after, before, limit));
        }
        if (after.isPresent()) {
            Messages.Page page = find(call, thread, filter, Direction.FORWARDS, after.get(), limit);
            return Answer.ok(ChatViews.page(page, views(thread, page.messages()), after, 0));
        }
        long bound = before.orElse(Long.MAX_VALUE);
        // A filtered page without a match still returns a cursor for later matches. The thread's next seq is read
        // before the page, so that the cursor misses no match.
        bound = filter.isEmpty() ? bound : Math.min(bound, messages.nextSeq(thread));
        Messages.Page page = find(call, thread, filter, Direction.BACKWARDS, bound, limit);
        // Without a filter, an empty page means that the thread has no message before the cursor.
        long nextBefore = filter.isEmpty() ? Math.min(bound, 1) : bound;
        return Answer.ok(ChatViews.page(page, views(thread, page.messages()), after, nextBefore));
    }

    private Messages.Page find(
            Call<Principal> call, ThreadId thread, MessageFilter filter, Direction direction, long seq, int limit) {
        return call.reading(
                room -> messages.find(call.caller(), thread, filter, direction, seq, pageSize(limit, room)),
                Messages.Page::bytes);
    }

    private PageSize pageSize(int items, long room) {
        return new PageSize(items, limits.pageBytes(), room);
    }

    private List<Message> views(ThreadId thread, List<RevisedMessage> found) {
        Map<Long, AnswerUsage> used = runs.usages().of(thread, found);
        return found.stream()
                .map(message ->
                        ChatViews.message(message, used.get(message.original().seq())))
                .toList();
    }

    /** The filter of a read; a run may be named by either of its ids. */
    private MessageFilter filter(Call<Principal> call, ThreadId thread) {
        return new MessageFilter(
                call.query("run_id").map(id -> runs.runIdOf(thread, id)).orElse(null),
                call.query("stage").orElse(null));
    }

    private EntryPage rawPage(
            Call<Principal> call, ThreadId thread, Optional<Long> after, Optional<Long> before, int limit) {
        Direction direction = after.isPresent() ? Direction.FORWARDS : Direction.BACKWARDS;
        long seq = after.or(() -> before).orElse(Long.MAX_VALUE);
        LogPages.Entries page = call.reading(
                room -> messages.listRaw(call.caller(), thread, direction, seq, pageSize(limit, room)),
                LogPages.Entries::bytes);
        long next = page.entries().isEmpty()
                ? after.orElse(0L)
                : page.entries().getLast().seq();
        return new EntryPage(page.entries().stream().map(ChatViews::entry).toList(), page.more(), next);
    }

    private Answer editMessage(Call<Principal> call) {
        count(call);
        String content = Optional.ofNullable(call.json(MessageEdit.class).content())
                .orElseThrow(() -> ProblemException.invalidField("content", "is required"));
        return revised(
                call, revisions.edit(call.caller(), ChatRequests.thread(call), call.path("message_id"), content));
    }

    private Answer deleteMessage(Call<Principal> call) {
        count(call);
        return revised(call, revisions.delete(call.caller(), ChatRequests.thread(call), call.path("message_id")));
    }

    private Answer react(Call<Principal> call) {
        count(call);
        return revised(
                call,
                revisions.react(call.caller(), ChatRequests.thread(call), call.path("message_id"), call.path("emoji")));
    }

    private Answer unreact(Call<Principal> call) {
        count(call);
        return revised(
                call,
                revisions.unreact(
                        call.caller(), ChatRequests.thread(call), call.path("message_id"), call.path("emoji")));
    }

    private Answer revised(Call<Principal> call, RevisedMessage message) {
        AnswerUsage used = runs.usages()
                .of(ChatRequests.thread(call), List.of(message))
                .get(message.original().seq());
        return Answer.ok(ChatViews.revised(call.caller(), message, used));
    }

    /** Counts a change of a message as a message of the caller's kind. */
    private static void count(Call<Principal> call) {
        call.count(call.caller() instanceof Principal.Agent ? Rate.AGENT_MESSAGE : Rate.USER_MESSAGE);
    }
}
