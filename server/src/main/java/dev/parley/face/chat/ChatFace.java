package dev.parley.face.chat;

import dev.parley.auth.Capability;
import dev.parley.auth.CreationKey;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.ArchiveWish;
import dev.parley.protocol.chat.ModeWish;
import dev.parley.protocol.chat.NewCapabilities;
import dev.parley.protocol.chat.NewParticipants;
import dev.parley.protocol.chat.NewThread;
import dev.parley.protocol.chat.NewTitle;
import dev.parley.protocol.chat.ReadMarker;
import dev.parley.protocol.chat.ReadState;
import dev.parley.protocol.chat.Status;
import dev.parley.protocol.chat.ThreadPage;
import dev.parley.storage.RequestKeys;
import dev.parley.threads.Messages;
import dev.parley.threads.Participants;
import dev.parley.threads.Speaker;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.Threads;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The routes of threads and their participants. */
public final class ChatFace {
    private static final Answer OK = Answer.ok(new Status("ok"));

    private final Threads threads;
    private final ThreadAccess access;
    private final Participants participants;
    private final Messages messages;
    private final Limits.Requests limits;

    public ChatFace(
            Threads threads,
            ThreadAccess access,
            Participants participants,
            Messages messages,
            Limits.Requests limits) {
        this.threads = threads;
        this.access = access;
        this.participants = participants;
        this.messages = messages;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        String thread = "/api/v1/chat/threads/{thread_id}";
        long body = limits.body();
        routes.post("/api/v1/chat/threads", body, Rate.THREAD_OPERATION, this::createThread)
                .get("/api/v1/chat/threads", Rate.POLL, this::listThreads)
                .get(thread, Rate.POLL, this::showThread)
                .patch(thread, body, Rate.THREAD_OPERATION, this::renameThread)
                .delete(thread, Rate.THREAD_OPERATION, this::deleteThread)
                .patch(thread + "/archive", body, Rate.THREAD_OPERATION, this::archiveThread)
                .patch(thread + "/read", body, Rate.USER_MESSAGE, this::markRead)
                .post(thread + "/mode", body, Rate.THREAD_OPERATION, this::setMode)
                .post(thread + "/participants", body, Rate.THREAD_OPERATION, this::addParticipants)
                .patch(thread + "/participants/{sender_id}", body, Rate.THREAD_OPERATION, this::changeParticipant)
                .delete(thread + "/participants/{sender_id}", Rate.THREAD_OPERATION, this::removeParticipant);
    }

    /** The parts of a request that distinguish one creation of a thread from another. */
    private record Creation(Threads.Plan plan, @Nullable String initialMessage) {}

    private Answer createThread(Call<Principal> call) {
        NewThread wanted = call.jsonIfPresent(NewThread.class).orElse(NewThread.EMPTY);
        Threads.Plan plan = ChatRequests.plan(wanted, call.caller().actor());
        Optional<RequestKeys.RequestKey> request =
                CreationKey.of(call, "threads", new Creation(plan, wanted.initialMessage()), limits.opaqueId());
        Optional<Messages.Utterance> first =
                Optional.ofNullable(wanted.initialMessage()).map(text -> ChatRequests.initialMessage(text, request));
        first.ifPresent(utterance -> messages.requireContent("initial_message", utterance.content()));
        // Every right that the call and its response need is checked before the first step, so that a refused call has
        // written nothing.
        call.caller().requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
        call.caller().requireScope(Capability.CAN_READ);
        if (first.isPresent()) {
            call.caller().requireScope(Capability.CAN_SEND);
            messages.requireOpen(Speaker.of(call.caller()));
        }
        Threads.Created created = threads.create(call.caller(), plan, request);
        ThreadId thread = created.id();
        first.ifPresent(utterance -> messages.post(call.caller(), Speaker.of(call.caller()), thread, utterance));
        return Answer.of(created.reused() ? 200 : 201, ChatViews.thread(access.require(call.caller(), thread)))
                .withHeader("Location", "/api/v1/chat/threads/" + thread);
    }

    private Answer listThreads(Call<Principal> call) {
        Threads.Page page = threads.list(
                call.caller(),
                call.query("cursor").orElse(null),
                ChatRequests.flag(call, "archived"),
                call.query("q").orElse(null),
                ChatRequests.limit(call, limits.page()));
        return Answer.ok(
                new ThreadPage(page.threads().stream().map(ChatViews::thread).toList(), page.nextCursor()));
    }

    private Answer showThread(Call<Principal> call) {
        return Answer.ok(ChatViews.thread(access.require(call.caller(), ChatRequests.thread(call))));
    }

    private Answer renameThread(Call<Principal> call) {
        ThreadId thread = ChatRequests.thread(call);
        NewTitle wanted = call.json(NewTitle.class);
        // The response shows the thread, so a caller that may not read it is refused before the rename.
        call.caller().requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
        call.caller().requireScope(Capability.CAN_READ);
        if (wanted.title() == null) {
            access.requireManaged(call.caller(), thread);
        } else {
            threads.rename(call.caller(), thread, wanted.title());
        }
        return Answer.ok(ChatViews.thread(access.require(call.caller(), thread)));
    }

    private Answer deleteThread(Call<Principal> call) {
        threads.delete(call.caller(), ChatRequests.thread(call));
        return OK;
    }

    private Answer archiveThread(Call<Principal> call) {
        Boolean archived =
                call.jsonIfPresent(ArchiveWish.class).map(ArchiveWish::archived).orElse(true);
        threads.archive(call.caller(), ChatRequests.thread(call), archived);
        return OK;
    }

    private Answer markRead(Call<Principal> call) {
        Long seq = call.jsonIfPresent(ReadMarker.class).map(ReadMarker::seq).orElse(Long.MAX_VALUE);
        if (seq < 0) {
            throw ProblemException.invalidField("seq", "must be 0 or more");
        }
        return Answer.ok(new ReadState("ok", threads.markRead(call.caller(), ChatRequests.thread(call), seq)));
    }

    private Answer setMode(Call<Principal> call) {
        ModeWish wish = call.json(ModeWish.class);
        Actor agent = wish.agentId() == null ? null : ChatRequests.agent("agent_id", wish.agentId());
        threads.setMode(call.caller(), ChatRequests.thread(call), agent, wish.participationMode());
        return OK;
    }

    private Answer addParticipants(Call<Principal> call) {
        call.caller().requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
        ThreadId thread = ChatRequests.thread(call);
        NewParticipants wanted = call.json(NewParticipants.class);
        participants.add(call.caller(), thread, ChatRequests.participants(wanted), ChatRequests.capabilities(wanted));
        return Answer.ok(ChatViews.thread(access.requireChanged(call.caller(), thread)));
    }

    private Answer changeParticipant(Call<Principal> call) {
        call.caller().requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
        ThreadId thread = ChatRequests.thread(call);
        participants.changeCapabilities(
                call.caller(), thread, participant(call), ChatRequests.capabilities(call.json(NewCapabilities.class)));
        return Answer.ok(ChatViews.thread(access.requireChanged(call.caller(), thread)));
    }

    private static Actor participant(Call<Principal> call) {
        return Actor.parse(call.path("sender_id"))
                .orElseThrow(() -> new ProblemException(
                        Problem.PARTICIPANT_NOT_FOUND, "The thread has no participant with this id."));
    }

    private Answer removeParticipant(Call<Principal> call) {
        participants.remove(call.caller(), ChatRequests.thread(call), participant(call));
        return OK;
    }
}
