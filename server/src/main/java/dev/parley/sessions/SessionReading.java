package dev.parley.sessions;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Direction;
import dev.parley.log.PageSize;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.AnswerUsage;
import dev.parley.runs.AnswerUsages;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The messages of a session in order, each as its client wrote it, with messages of other faces among them. */
public final class SessionReading {
    /** The largest number of pages that are searched for one page of visible messages. */
    private static final int MAX_PAGES = 50;

    /** The text that is served for a deleted message if a client posts the message again. */
    private static final StoredMessage DELETED = new StoredMessage("null".getBytes(StandardCharsets.UTF_8), List.of());

    private final Messages messages;
    private final ChatEventStore store;
    private final SessionStatuses statuses;
    private final SessionMedia media;
    private final AnswerUsages usages;
    private final long pageBytes;
    private final long answerBytes;

    SessionReading(
            Messages messages,
            ChatEventStore store,
            SessionStatuses statuses,
            SessionMedia media,
            AnswerUsages usages,
            long pageBytes,
            long answerBytes) {
        this.usages = usages;
        this.messages = messages;
        this.store = store;
        this.statuses = statuses;
        this.media = media;
        this.pageBytes = pageBytes;
        this.answerBytes = answerBytes;
    }

    /**
     * A page, ascending. An entry may have several rows and is never split, so a page may exceed its limit.
     *
     * @param more true if there are more messages in the direction of reading
     * @param nextAfter the cursor for reading on after the page
     * @param nextBefore the cursor for reading on before the page
     * @param bytes the bytes of the page's text; if they exceed the reader's room, messages are missing
     */
    public record Page(List<SessionMessage> messages, boolean more, long nextAfter, long nextBefore, long bytes) {}

    public Page after(Principal caller, ThreadId thread, long seq, int limit, long room) {
        Gathered gathered = gather(caller, thread, Direction.FORWARDS, seq, pageBytes, limit, any -> true, room);
        List<SessionMessage> visible = gathered.visible;
        long first = visible.isEmpty() ? seq + 1 : visible.getFirst().seq();
        return new Page(visible, gathered.more, gathered.cursor, first, gathered.bytes);
    }

    public Page before(Principal caller, ThreadId thread, long seq, int limit, long room) {
        Gathered gathered = gather(caller, thread, Direction.BACKWARDS, seq, pageBytes, limit, any -> true, room);
        boolean nothing = gathered.last == 0;
        return new Page(gathered.visible, gathered.more, gathered.last, nothing ? 0 : gathered.cursor, gathered.bytes);
    }

    /**
     * Reads pages until enough visible messages are found.
     *
     * @param bytes the number of bytes at which reading stops sooner
     */
    private Gathered gather(
            Principal caller,
            ThreadId thread,
            Direction direction,
            long seq,
            long bytes,
            int limit,
            Predicate<SessionMessage> wanted,
            long room) {
        SessionThreads.requireScope(caller, Capability.CAN_READ);
        Gathered gathered = new Gathered(seq);
        for (int i = 0; i < MAX_PAGES && gathered.more && gathered.bytes < bytes; i++) {
            int missing = limit - gathered.visible.size();
            if (missing <= 0) {
                break;
            }
            long most = Math.min(pageBytes, bytes - gathered.bytes);
            PageSize size = new PageSize(missing, most, room - gathered.bytes);
            Messages.Page page = messages.list(caller, thread, direction, gathered.cursor, size);
            gathered.count(page.bytes(), room);
            List<Long> seqs = seqs(page.messages());
            gathered.count(seqs.isEmpty() ? 0 : store.bytes(thread, seqs), room);
            if (gathered.bytes > room) {
                return gathered;
            }
            gathered.add(
                    direction,
                    page,
                    visible(thread, page.messages()).stream().filter(wanted).toList());
        }
        return gathered;
    }

    private static List<Long> seqs(List<RevisedMessage> messages) {
        return messages.stream().map(message -> message.original().seq()).toList();
    }

    /** The result, collected page by page. */
    private final class Gathered {
        private final List<SessionMessage> visible = new ArrayList<>();
        private boolean more = true;
        /** The seq from which the next page is read. */
        private long cursor;

        private long last;
        private long bytes;

        Gathered(long from) {
            cursor = from;
        }

        void count(long found, long room) {
            bytes += found;
            if (bytes > room && bytes > answerBytes) {
                throw tooLarge(bytes);
            }
        }

        void add(Direction direction, Messages.Page page, List<SessionMessage> found) {
            more = page.more();
            if (!page.messages().isEmpty()) {
                long first = page.messages().getFirst().original().seq();
                long end = page.messages().getLast().original().seq();
                last = last == 0 ? end : last;
                cursor = direction == Direction.FORWARDS ? end : first;
            }
            visible.addAll(direction == Direction.FORWARDS ? visible.size() : 0, found);
        }
    }

    /** The messages with these ids, in the order of the ids. New and known messages are included. */
    public List<SessionMessage> of(ThreadId thread, Collection<String> messageIds) {
        Map<String, ChatEventRow.Stored> events = store.byMessage(thread, messageIds);
        Map<String, SessionMessage> found = new HashMap<>();
        List<String> others =
                messageIds.stream().filter(id -> !events.containsKey(id)).toList();
        if (!others.isEmpty()) {
            List<RevisedMessage> named = messages.named(thread, others);
            Map<Long, AnswerUsage> used = usages.of(thread, named);
            named.forEach(message -> found.put(
                    message.original().content().id(),
                    new SessionMessage(message, null, about(message, Map.of()), usage(message, used))));
        }
        List<Long> seqs = events.values().stream()
                .map(ChatEventRow.Stored::seq)
                .distinct()
                .sorted()
                .toList();
        // There are fewer entries than seqs if the session was deleted a moment ago.
        List<RevisedMessage> entries = messages.at(thread, seqs);
        Map<Long, AnswerUsage> used = usages.of(thread, entries);
        Map<Long, List<ChatEventRow.Stored>> beside =
                used.isEmpty() ? bySeq(events.values()) : store.bySeq(thread, seqs);
        for (RevisedMessage message : entries) {
            List<ChatEventRow.Stored> own =
                    beside.getOrDefault(message.original().seq(), List.of());
            withEvents(message, own, usage(message, used)).forEach(each -> found.put(idOf(each), each));
        }
        return messageIds.stream().map(found::get).filter(Objects::nonNull).toList();
    }

    private static Map<Long, List<ChatEventRow.Stored>> bySeq(Collection<ChatEventRow.Stored> events) {
        return events.stream().collect(Collectors.groupingBy(ChatEventRow.Stored::seq));
    }

    private static String idOf(SessionMessage each) {
        return Objects.requireNonNull(each.event()).row().messageId();
    }

    /**
     * The reader's choice of messages.
     *
     * @param safe true if each call must come with its result
     * @param statuses the statuses of the runs whose messages are wanted; null for any status
     */
    public record ReadRequest(
            int last,
            long beforeSeq,
            boolean safe,
            @Nullable Set<String> statuses) {}

    /**
     * The last messages for a model to read.
     *
     * @param dropped the number of messages that the request left out
     * @param bytes the bytes of the messages' text; if they exceed the reader's room, messages are missing
     */
    public record Window(List<SessionMessage> messages, int dropped, long bytes) {}

    public Window window(Principal caller, ThreadId thread, ReadRequest request, long room) {
        Gathered gathered = gather(
                caller,
                thread,
                Direction.BACKWARDS,
                request.beforeSeq(),
                answerBytes,
                request.last(),
                each -> !each.message().withdrawn() && !each.message().superseded(),
                room);
        List<SessionMessage> all = gathered.visible;
        Set<String> wanted = request.statuses();
        List<SessionMessage> selected = wanted == null ? all : ofStatus(thread, all, wanted);
        List<SessionMessage> safe = request.safe() ? complete(thread, selected) : selected;
        return new Window(safe, all.size() - safe.size(), gathered.bytes);
    }

    private List<SessionMessage> ofStatus(ThreadId thread, List<SessionMessage> all, Set<String> wanted) {
        Set<String> runs = new HashSet<>();
        all.forEach(each -> runOf(each).ifPresent(runs::add));
        Map<String, String> known = statuses.of(thread, runs);
        return all.stream()
                .filter(each ->
                        runOf(each).map(known::get).map(wanted::contains).orElse(true))
                .toList();
    }

    private List<SessionMessage> complete(ThreadId thread, List<SessionMessage> window) {
        List<StoredMessage> stored = stored(thread, window);
        List<ToolTurn> turns = new ArrayList<>(window.size());
        for (int i = 0; i < window.size(); i++) {
            turns.add(
                    ToolTurn.of(runOf(window.get(i)).orElse(null), stored.get(i).json()));
        }
        return ToolPairs.safe(turns).stream().map(window::get).toList();
    }

    /** The texts of messages with their media, in the same order; refused if they exceed one answer. */
    public RestoredMessages texts(ThreadId thread, List<SessionMessage> wanted, MediaMode mode) {
        RestoredMessages texts = media.restore(thread, stored(thread, wanted), mode);
        if (texts.size() > answerBytes) {
            throw tooLarge(texts.size());
        }
        return texts;
    }

    private ProblemException tooLarge(long bytes) {
        return new ProblemException(
                Problem.ANSWER_TOO_LARGE,
                "The messages have " + bytes + " bytes with their media inside, and " + answerBytes
                        + " are the limit; ask for fewer, or for media=url.",
                List.of(),
                Map.of("limit_bytes", answerBytes));
    }

    private List<StoredMessage> stored(ThreadId thread, List<SessionMessage> wanted) {
        List<StoredMessage> converted = new ArrayList<>(media.inAgnoForm(
                thread,
                wanted.stream()
                        .filter(each -> each.event() == null)
                        .map(each -> new AgnoMessage(each.message(), each.usage()))
                        .toList()));
        List<StoredMessage> stored = new ArrayList<>(wanted.size());
        for (SessionMessage each : wanted) {
            ChatEventRow.Stored event = each.event();
            StoredMessage text =
                    event == null ? converted.removeFirst() : event.row().stored();
            stored.add(each.message().isDeleted() ? DELETED : text);
        }
        return stored;
    }

    /** Skips deleted messages, and streamed messages that a chat event of another entry represents. */
    private List<SessionMessage> visible(ThreadId thread, List<RevisedMessage> found) {
        if (found.isEmpty()) {
            return List.of();
        }
        Map<Long, List<ChatEventRow.Stored>> events = store.bySeq(
                thread, found.stream().map(message -> message.original().seq()).toList());
        Set<String> streamed = new HashSet<>();
        for (RevisedMessage message : found) {
            if (!events.containsKey(message.original().seq()) && isOfAgent(message)) {
                runOf(message).ifPresent(streamed::add);
            }
        }
        Set<Long> covered = store.covered(thread, streamed);
        Map<String, NewChatEvent.Wrapper> runs = store.runs(thread, streamed);
        Map<Long, AnswerUsage> used = usages.of(thread, found);
        List<SessionMessage> visible = new ArrayList<>();
        for (RevisedMessage message : found) {
            if (message.isDeleted()) {
                continue;
            }
            List<ChatEventRow.Stored> own = events.get(message.original().seq());
            if (own != null) {
                visible.addAll(withEvents(message, own, usage(message, used)));
            } else if (!covered.contains(message.original().seq())) {
                visible.add(new SessionMessage(message, null, about(message, runs), usage(message, used)));
            }
        }
        return visible;
    }

    /** Of several chat events beside one entry, the first carries the usage, so that sums are right. */
    private static List<SessionMessage> withEvents(
            RevisedMessage message, List<ChatEventRow.Stored> events, MessageUsage usage) {
        List<SessionMessage> joined = new ArrayList<>();
        for (ChatEventRow.Stored event : events) {
            joined.add(SessionMessage.of(message, event, joined.isEmpty() ? usage : MessageUsage.NONE));
        }
        return joined;
    }

    private static MessageUsage usage(RevisedMessage message, Map<Long, AnswerUsage> used) {
        return MessageUsage.of(used.get(message.original().seq()));
    }

    private static NewChatEvent.Wrapper about(RevisedMessage message, Map<String, NewChatEvent.Wrapper> runs) {
        String run = runOf(message).orElse(null);
        NewChatEvent.Wrapper known = run == null ? null : runs.get(run);
        return known == null ? new NewChatEvent.Wrapper(null, null, null, null, run, null, null, null) : known;
    }

    private static boolean isOfAgent(RevisedMessage message) {
        return message.original().content().author().kind() == Actor.Kind.AGENT;
    }

    private static Optional<String> runOf(SessionMessage each) {
        ChatEventRow.Stored event = each.event();
        return event == null
                ? runOf(each.message())
                : Optional.ofNullable(event.row().runId());
    }

    /** The run of a message from another face. For a message from a member of a team, the member's own run. */
    private static Optional<String> runOf(RevisedMessage message) {
        JsonNode metadata = metadata(message);
        return metadata.path("subagent_run_id")
                .asStringOpt()
                .or(() -> metadata.path("run_id").asStringOpt());
    }

    private static JsonNode metadata(RevisedMessage message) {
        String json = message.original().content().metadata();
        return json == null ? Json.MAPPER.missingNode() : Json.MAPPER.readTree(json);
    }
}
