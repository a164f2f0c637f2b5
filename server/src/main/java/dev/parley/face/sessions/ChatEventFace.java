package dev.parley.face.sessions;

import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.Split;
import dev.parley.protocol.ThreadId;
import dev.parley.sessions.ChatEvents;
import dev.parley.sessions.MediaMode;
import dev.parley.sessions.NewChatEvent;
import dev.parley.sessions.RestoredMessages;
import dev.parley.sessions.SessionMessage;
import dev.parley.sessions.SessionReading;
import dev.parley.sessions.SessionThreads;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The routes of session messages: appending, reading page by page, and reading for a model. */
public final class ChatEventFace {
    private static final int DEFAULT_PAGE = 50;
    private static final int DEFAULT_WINDOW = 200;
    /** The number of copies of an answer in memory: as it was read, as it is written, and as it is sent. */
    private static final int COPIES = 3;

    private static final Set<String> STATUSES =
            Set.of("completed", "cancelled", "failed", "running", "queued", "pending", "paused", "regenerated");

    private final ChatEvents events;
    private final SessionReading reading;
    private final SessionThreads sessions;
    private final Limits.Sessions limits;
    private final Limits.Requests requests;

    public ChatEventFace(
            ChatEvents events,
            SessionReading reading,
            SessionThreads sessions,
            Limits.Sessions limits,
            Limits.Requests requests) {
        this.events = events;
        this.reading = reading;
        this.sessions = sessions;
        this.limits = limits;
        this.requests = requests;
    }

    public void addTo(Routes<Principal> routes) {
        String session = "/api/v1/sessions/{session_id}";
        routes.post(session + "/chat-events", limits.body(), Rate.RUN_EVENTS, this::append)
                .get(session + "/chat-events", Rate.POLL, this::list)
                .get(session + "/messages", Rate.POLL, this::messages)
                .post(session + "/import", limits.body(), Rate.RUN_EVENTS, this::bringIn);
    }

    private Answer append(Call<Principal> call) {
        MediaMode mode = mode(call, MediaMode.REFERENCE);
        List<NewChatEvent> given =
                SessionRequests.chatEvents(call.body(), call.json(JsonNode.class), limits.events(), requests, false);
        return appended(call, given, events.append(call.caller(), call.path("session_id"), given), mode);
    }

    private Answer bringIn(Call<Principal> call) {
        MediaMode mode = mode(call, MediaMode.REFERENCE);
        JsonNode body = call.json(JsonNode.class);
        List<NewChatEvent> given = SessionRequests.chatEvents(call.body(), body, limits.events(), requests, true);
        return appended(call, given, events.bringIn(call.caller(), call.path("session_id"), given, title(body)), mode);
    }

    private static @Nullable String title(JsonNode body) {
        JsonNode title = body.path("title");
        if (!title.isMissingNode()
                && !title.isNull()
                && (!title.isString() || title.asString().isBlank())) {
            throw ProblemException.invalidField("title", "must be a text that is not blank, or left out");
        }
        return title.isString() ? title.asString() : null;
    }

    private Answer appended(
            Call<Principal> call, List<NewChatEvent> given, ChatEvents.Appended appended, MediaMode mode) {
        Set<String> ids = new LinkedHashSet<>();
        given.forEach(event -> ids.add(event.messageId()));
        List<SessionMessage> rows = reading.of(appended.thread(), ids);
        RestoredMessages texts = answer(call, appended.thread(), rows, mode);
        byte[] body = new SessionJson(call.path("session_id")).rows(rows, texts, null);
        return SessionJson.answer(appended.anythingNew() ? 201 : 200, body);
    }

    /**
     * The answer to a post whose messages are already stored. The answer is therefore never refused. Media too large
     * for the answer are given by reference.
     */
    private RestoredMessages answer(Call<Principal> call, ThreadId thread, List<SessionMessage> rows, MediaMode mode) {
        try {
            return held(call, reading.texts(thread, rows, mode));
        } catch (ProblemException tooLarge) {
            if (tooLarge.problem() != Problem.ANSWER_TOO_LARGE) {
                throw tooLarge;
            }
            return held(call, reading.texts(thread, rows, MediaMode.REFERENCE));
        }
    }

    /** Reduces the request's memory to its answer, because the request needs no other memory from here on. */
    private static RestoredMessages held(Call<Principal> call, RestoredMessages texts) {
        call.hold(COPIES * texts.size());
        return texts;
    }

    private Answer list(Call<Principal> call) {
        MediaMode mode = mode(call, MediaMode.INLINE);
        int limit = call.pageSize(Math.min(DEFAULT_PAGE, requests.page()), requests.page());
        Optional<Long> after = call.wholeNumber("after_seq");
        Optional<Long> before = call.wholeNumber("before_seq");
        if (after.isPresent() && before.isPresent()) {
            throw ProblemException.invalidField("after_seq", "cannot be combined with before_seq");
        }
        ThreadId thread = sessions.require(call.caller(), call.path("session_id"));
        SessionReading.Page page = call.reading(
                room -> after.isPresent()
                        ? reading.after(call.caller(), thread, after.get(), limit, room)
                        : reading.before(call.caller(), thread, before.orElse(Long.MAX_VALUE), limit, room),
                SessionReading.Page::bytes);
        RestoredMessages texts = held(call, reading.texts(thread, page.messages(), mode));
        return SessionJson.answer(200, new SessionJson(call.path("session_id")).rows(page.messages(), texts, page));
    }

    private Answer messages(Call<Principal> call) {
        MediaMode mode = mode(call, MediaMode.INLINE);
        long last = call.wholeNumber("last").orElse((long) Math.min(DEFAULT_WINDOW, limits.messages()));
        if (last == 0) {
            throw ProblemException.invalidField("last", "must be at least 1");
        }
        SessionReading.ReadRequest request = new SessionReading.ReadRequest(
                (int) Math.min(last, limits.messages()),
                call.wholeNumber("before_seq").orElse(Long.MAX_VALUE),
                safe(call),
                statuses(call));
        ThreadId thread = sessions.require(call.caller(), call.path("session_id"));
        SessionReading.Window window = call.reading(
                room -> reading.window(call.caller(), thread, request, room), SessionReading.Window::bytes);
        RestoredMessages texts = held(call, reading.texts(thread, window.messages(), mode));
        return SessionJson.answer(
                        200, SessionJson.array(texts, window.messages().size()))
                .withHeader("Parley-Dropped", Integer.toString(window.dropped()));
    }

    private static boolean safe(Call<Principal> call) {
        Optional<String> tools = call.query("tools");
        if (tools.isPresent() && !tools.get().equals("safe")) {
            throw ProblemException.invalidField("tools", "must be safe, or left out");
        }
        return tools.isPresent();
    }

    private static @Nullable Set<String> statuses(Call<Principal> call) {
        Optional<String> given = call.query("statuses").filter(text -> !text.isEmpty());
        if (given.isEmpty()) {
            return null;
        }
        Set<String> names = Set.copyOf(new LinkedHashSet<>(Split.at(',', given.get())));
        if (!STATUSES.containsAll(names)) {
            throw ProblemException.invalidField(
                    "statuses",
                    "must be a list of "
                            + String.join(", ", STATUSES.stream().sorted().toList()));
        }
        return names;
    }

    private static MediaMode mode(Call<Principal> call, MediaMode usual) {
        return call.query("media")
                .map(text -> MediaMode.parse(text)
                        .orElseThrow(() -> ProblemException.invalidField("media", "must be inline, url or reference")))
                .orElse(usual);
    }
}
