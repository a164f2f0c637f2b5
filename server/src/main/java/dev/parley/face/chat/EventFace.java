package dev.parley.face.chat;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Frames;
import dev.parley.http.Routes;
import dev.parley.http.StreamSource;
import dev.parley.limits.Limits;
import dev.parley.log.LogPages;
import dev.parley.log.PageSize;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.EventPage;
import dev.parley.protocol.chat.Status;
import dev.parley.protocol.chat.TypingWish;
import dev.parley.streaming.Inbox;
import dev.parley.streaming.OpenStreams;
import dev.parley.streaming.Polls;
import dev.parley.streaming.StreamQuota;
import dev.parley.streaming.Tails;
import dev.parley.threads.ThreadAccess;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The routes for following a thread: poll, stream, inbox, and typing. */
public final class EventFace {
    private static final Set<String> TYPING = Set.of("started", "stopped");

    private final ThreadAccess access;
    private final Polls polls;
    private final Tails tails;
    private final Inbox inbox;
    private final Cursors cursors;
    private final OpenStreams open;
    private final StreamQuota quota;
    private final Limits.Requests limits;

    public EventFace(
            ThreadAccess access,
            Polls polls,
            Tails tails,
            Inbox inbox,
            Cursors cursors,
            OpenStreams open,
            StreamQuota quota,
            Limits.Requests limits) {
        this.access = access;
        this.polls = polls;
        this.tails = tails;
        this.inbox = inbox;
        this.cursors = cursors;
        this.open = open;
        this.quota = quota;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        String thread = "/api/v1/chat/threads/{thread_id}";
        routes.get(thread + "/events", Rate.POLL, this::pollEvents).stream(
                thread + "/events/stream", Rate.POLL, this::streamEvents)
                .post(thread + "/typing", limits.body(), Rate.USER_MESSAGE, this::typing)
                .stream("/api/v1/chat/inbox/stream", Rate.POLL, this::streamInbox);
    }

    private Answer pollEvents(Call<Principal> call) {
        ThreadId thread = ChatRequests.thread(call);
        access.requireReadable(call.caller(), thread);
        int limit = ChatRequests.limit(call, limits.page());
        Duration wait = ChatRequests.wait(call, polls.longest());
        long after = cursors.require(thread, ChatRequests.cursor(call).orElse("0"));
        LogPages.Events page = read(call, thread, after, limit);
        if (page.events().isEmpty() && !wait.isZero()) {
            call.hold(0);
            waitFor(call, thread, after, wait);
            page = read(call, thread, after, limit);
        }
        // The right to read is checked again after the read, because a participant who was removed meanwhile must not
        // get messages after the removal.
        access.requireReadable(call.caller(), thread);
        EventViews views = EventViews.of(call.caller());
        return Answer.ok(
                new EventPage(page.events().stream().map(views::envelope).toList(), page.more()));
    }

    private LogPages.Events read(Call<Principal> call, ThreadId thread, long after, int limit) {
        return call.reading(
                room -> polls.eventsAfter(thread, after, new PageSize(limit, limits.pageBytes(), room)),
                LogPages.Events::bytes);
    }

    /**
     * Waits for events. The wait takes a stream slot of the caller, and may last longer than the caller's token is
     * valid.
     */
    private void waitFor(Call<Principal> call, ThreadId thread, long after, Duration wait) {
        Runnable leave = quota.take(call.caller().actor());
        try {
            call.waiting(() -> polls.awaitAfter(thread, after, wait));
            open.requireAlive(call.caller());
        } finally {
            leave.run();
        }
    }

    private StreamSource streamEvents(Call<Principal> call) {
        ThreadId thread = ChatRequests.thread(call);
        access.requireReadable(call.caller(), thread);
        Optional<String> cursor = ChatRequests.cursor(call);
        long after = cursor.isPresent() ? cursors.require(thread, cursor.get()) : cursors.live(thread);
        return counted(
                call,
                leave -> tails.open(thread, after, EventViews.of(call.caller()), connection -> {
                    Runnable unwatch = open.add(connection, call.caller(), Optional.of(thread), call.query("ticket"));
                    return () -> {
                        unwatch.run();
                        leave.run();
                    };
                }));
    }

    private StreamSource streamInbox(Call<Principal> call) {
        call.caller().requireScope(Capability.CAN_READ);
        if (call.caller() instanceof Principal.Integration) {
            // An integration is no participant, so it has no unread messages, and no participant waits for its answer.
            throw new ProblemException(
                    Problem.FORBIDDEN,
                    "An integration has no inbox; it lists the threads of its source and follows each of them.");
        }
        return counted(call, leave -> connection -> {
            Runnable unwatch = open.add(connection, call.caller(), Optional.empty(), call.query("ticket"));
            Runnable remove =
                    inbox.add(call.caller().actor(), connection, row -> ChatViews.hint(row, "thread_changed"));
            connection.onClose(() -> {
                remove.run();
                unwatch.run();
                leave.run();
            });
        });
    }

    private StreamSource counted(Call<Principal> call, Function<Runnable, StreamSource> source) {
        Runnable leave = quota.take(call.caller().actor());
        try {
            return source.apply(leave);
        } catch (RuntimeException failed) {
            leave.run();
            throw failed;
        }
    }

    private Answer typing(Call<Principal> call) {
        ThreadId thread = ChatRequests.thread(call);
        call.caller().requireScope(Capability.CAN_SEND);
        if (call.caller() instanceof Principal.Integration) {
            // An integration reports that a sender of its platform is typing. The integration itself is no participant,
            // and needs only access to the thread.
            access.requireSeen(call.caller(), thread);
        } else {
            access.requireAllowed(call.caller(), thread, Capability.CAN_SEND);
        }
        String status =
                call.jsonIfPresent(TypingWish.class).map(TypingWish::status).orElse("started");
        if (!TYPING.contains(status)) {
            throw ProblemException.invalidField("status", "must be started or stopped");
        }
        tails.broadcast(
                thread,
                Frames.event(
                        null,
                        "typing",
                        Json.MAPPER.writeValueAsString(Map.of(
                                "thread_id", thread.toString(),
                                "sender_id", call.caller().actor().value(),
                                "display_name", call.caller().displayName(),
                                "status", status))));
        return Answer.ok(new Status("ok"));
    }
}
