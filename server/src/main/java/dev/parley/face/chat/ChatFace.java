package dev.parley.face.chat;

import dev.parley.auth.Principal;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.http.StreamSource;
import dev.parley.limits.Limits;
import dev.parley.log.Entry;
import dev.parley.log.Event;
import dev.parley.log.Outcome;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.EventPage;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewThread;
import dev.parley.streaming.Polls;
import dev.parley.streaming.StreamQuota;
import dev.parley.streaming.Tails;
import dev.parley.threads.Messages;
import dev.parley.threads.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The routes of the chat face. */
public final class ChatFace {
    private final Threads threads;
    private final Messages messages;
    private final Polls polls;
    private final Tails tails;
    private final Cursors cursors;
    private final StreamQuota quota;
    private final Limits limits;

    public ChatFace(
            Threads threads,
            Messages messages,
            Polls polls,
            Tails tails,
            Cursors cursors,
            StreamQuota quota,
            Limits limits) {
        this.threads = threads;
        this.messages = messages;
        this.polls = polls;
        this.tails = tails;
        this.cursors = cursors;
        this.quota = quota;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        String thread = "/api/v1/chat/threads/{thread_id}";
        routes
                .post("/api/v1/chat/threads", limits.otherBody(), this::createThread)
                .get(thread, this::showThread)
                .post(thread + "/messages", limits.otherBody(), this::postMessage)
                .get(thread + "/messages", this::listMessages)
                .get(thread + "/events", this::pollEvents)
                .stream(thread + "/events/stream", this::streamEvents);
    }

    private Answer createThread(Call<Principal> call) {
        NewThread wanted = call.jsonIfPresent(NewThread.class).orElseGet(() -> NewThread.EMPTY);
        Threads.Plan plan = ChatRequests.plan(wanted);
        Optional<Messages.Utterance> first =
                Optional.ofNullable(wanted.initialMessage()).map(Messages.Utterance::text);
        first.ifPresent(messages::requireWellFormed);
        ThreadId thread = threads.create(call.caller(), plan);
        first.ifPresent(utterance -> messages.post(call.caller(), thread, utterance));
        return Answer.created(ChatViews.thread(threads.require(call.caller(), thread)))
                .withHeader("Location", "/api/v1/chat/threads/" + thread);
    }

    private Answer showThread(Call<Principal> call) {
        return Answer.ok(ChatViews.thread(threads.require(call.caller(), threadId(call))));
    }

    private Answer postMessage(Call<Principal> call) {
        Messages.Utterance utterance = ChatRequests.utterance(call.json(NewMessage.class));
        Outcome.Placed placed = messages.post(call.caller(), threadId(call), utterance);
        return Answer.of(placed.duplicate() ? 200 : 201, ChatViews.posted(placed));
    }

    private Answer listMessages(Call<Principal> call) {
        ThreadId thread = threadId(call);
        int limit = ChatRequests.limit(call, limits.page());
        Optional<Long> after = ChatRequests.seq(call, "after_seq");
        Optional<Long> before = ChatRequests.seq(call, "before_seq");
        if (after.isPresent() && before.isPresent()) {
            throw ProblemException.invalidField("after_seq", "cannot be combined with before_seq");
        }
        Messages.Page page = after.isPresent()
                ? messages.listAfter(call.caller(), thread, after.get(), limit)
                : messages.listBefore(call.caller(), thread, before.orElse(Long.MAX_VALUE), limit);
        List<Entry> entries = page.entries();
        long next = entries.isEmpty() ? after.orElse(0L) : entries.getLast().seq();
        return Answer.ok(
                new MessagePage(entries.stream().map(ChatViews::message).toList(), page.more(), next));
    }

    private Answer pollEvents(Call<Principal> call) {
        ThreadId thread = threadId(call);
        threads.requireReadable(call.caller(), thread);
        int limit = ChatRequests.limit(call, limits.page());
        Duration wait = ChatRequests.wait(call, limits.longPoll());
        long after = cursors.require(thread, ChatRequests.cursor(call, "0"));
        List<Event> events = polls.eventsAfter(thread, after, limit + 1, wait);
        boolean more = events.size() > limit;
        return Answer.ok(new EventPage(
                events.stream().limit(limit).map(ChatViews::envelope).toList(), more));
    }

    private StreamSource streamEvents(Call<Principal> call) {
        ThreadId thread = threadId(call);
        threads.requireReadable(call.caller(), thread);
        long after = cursors.require(thread, ChatRequests.cursor(call, Cursors.LIVE));
        Runnable leave = quota.take(call.caller().actor());
        try {
            return tails.open(thread, after, ChatViews.FRAMES, leave);
        } catch (RuntimeException failed) {
            leave.run();
            throw failed;
        }
    }

    private static ThreadId threadId(Call<Principal> call) {
        return ThreadId.parse(call.path("thread_id"))
                .orElseThrow(() -> new ProblemException(Problem.THREAD_NOT_FOUND, "There is no such thread."));
    }
}
