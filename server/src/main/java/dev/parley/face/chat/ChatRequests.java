package dev.parley.face.chat;

import dev.parley.auth.Capability;
import dev.parley.http.Call;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.NewAgentMessage;
import dev.parley.protocol.chat.NewCapabilities;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewParticipants;
import dev.parley.protocol.chat.NewThread;
import dev.parley.storage.RequestKeys;
import dev.parley.threads.Messages;
import dev.parley.threads.ParticipationMode;
import dev.parley.threads.Threads;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Parses the requests of the chat face. Checks their shape only, and names every wrong field. */
final class ChatRequests {
    private static final int DEFAULT_PAGE = 50;

    private ChatRequests() {}

    /**
     * Fills in the defaults and lists every participant once in a fixed order, so that equal requests give equal plans.
     */
    static Threads.Plan plan(NewThread wanted, Actor maker) {
        List<FieldError> errors = new ArrayList<>();
        List<Actor> participants = new ArrayList<>();
        List<String> users = Objects.requireNonNullElse(wanted.targetUserIds(), List.of());
        for (int i = 0; i < users.size(); i++) {
            String field = "target_user_ids[" + i + "]";
            UuidV7.parseCanonical(Objects.requireNonNullElse(users.get(i), ""))
                    .map(Actor::user)
                    .ifPresentOrElse(participants::add, () -> errors.add(new FieldError(field, "must be a UUID")));
        }
        participants.addAll(actors("participants", wanted.participants(), errors));
        staleRule(wanted.onStale(), errors);
        refuse(errors);
        return new Threads.Plan(
                Objects.requireNonNullElse(wanted.threadType(), "private"),
                wanted.title(),
                Objects.requireNonNullElse(wanted.participationMode(), ParticipationMode.OPEN.wire()),
                participants.stream()
                        .filter(actor -> !actor.equals(maker))
                        .distinct()
                        .sorted(Comparator.comparing(Actor::value))
                        .toList(),
                Boolean.TRUE.equals(wanted.reuse()));
    }

    /** True if a stale message is refused. */
    private static boolean staleRule(@Nullable String onStale, List<FieldError> errors) {
        if (onStale != null && !onStale.equals("accept") && !onStale.equals("reject")) {
            errors.add(new FieldError("on_stale", "must be accept or reject"));
        }
        return "reject".equals(onStale);
    }

    static List<Actor> participants(NewParticipants wanted) {
        List<FieldError> errors = new ArrayList<>();
        List<Actor> actors = actors("sender_ids", wanted.senderIds(), errors);
        if (actors.isEmpty() && errors.isEmpty()) {
            errors.add(new FieldError("sender_ids", "is required"));
        }
        refuse(errors);
        return actors;
    }

    /** The rights of new participants. */
    static Set<Capability> capabilities(NewParticipants wanted) {
        return wanted.capabilities() == null ? Capability.TAKE_PART : capabilities(wanted.capabilities());
    }

    static Set<Capability> capabilities(NewCapabilities wanted) {
        return capabilities(wanted.capabilities());
    }

    private static Set<Capability> capabilities(@Nullable List<String> given) {
        List<FieldError> errors = new ArrayList<>();
        Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
        List<String> names = given == null ? List.of() : given;
        for (int i = 0; i < names.size(); i++) {
            String field = "capabilities[" + i + "]";
            Capability.parse(String.valueOf(names.get(i)))
                    .ifPresentOrElse(
                            capabilities::add,
                            () -> errors.add(new FieldError(
                                    field, "must be can_read, can_send, can_run or can_manage_participants")));
        }
        if (errors.isEmpty() && !capabilities.contains(Capability.CAN_READ)) {
            errors.add(new FieldError("capabilities", "must contain can_read; to end it, remove the participant"));
        }
        refuse(errors);
        return Set.copyOf(capabilities);
    }

    static Messages.Utterance utterance(NewMessage posted) {
        return utterance(
                new NewAgentMessage(
                        posted.content(),
                        posted.clientMessageId(),
                        posted.mentions(),
                        posted.metadata(),
                        posted.replyTo(),
                        null,
                        null,
                        null,
                        null,
                        null),
                0);
    }

    static Messages.Utterance utterance(NewAgentMessage posted, int idLimit) {
        List<FieldError> errors = new ArrayList<>();
        String content = posted.content();
        if (content == null) {
            errors.add(new FieldError("content", "is required"));
        }
        List<Actor> mentions = actors("mentions", posted.mentions(), errors);
        boolean reject = staleRule(posted.onStale(), errors);
        requireSeq("base_seq", posted.baseSeq(), errors);
        requireSeq("latest_seen_seq", posted.latestSeenSeq(), errors);
        String run = posted.runId();
        if (run != null && (run.isEmpty() || run.length() > idLimit)) {
            errors.add(new FieldError("run_id", "must have 1 to " + idLimit + " characters"));
        }
        refuse(errors);
        return new Messages.Utterance(
                Objects.requireNonNull(content),
                mentions.stream().distinct().toList(),
                posted.metadata(),
                posted.replyTo(),
                posted.clientMessageId(),
                new Messages.Context(posted.baseSeq(), posted.latestSeenSeq(), reject, run, false));
    }

    private static void requireSeq(String field, @Nullable Long seq, List<FieldError> errors) {
        if (seq != null && seq < 0) {
            errors.add(new FieldError(field, "must be 0 or more"));
        }
    }

    /** An agent, by its UUID or its sender id. */
    static Actor agent(String field, String given) {
        return Actor.parse(given.startsWith("agent:") ? given : "agent:" + given)
                .orElseThrow(() -> ProblemException.invalidField(field, "must be an agent's UUID or agent:{uuid}"));
    }

    static ThreadId thread(Call<?> call) {
        return ThreadId.parse(call.path("thread_id"))
                .orElseThrow(() -> Refusal.noSuchThread().toException());
    }

    /**
     * The first message of a creation. Its key derives from the request. A retry after a lost answer therefore
     * completes the creation, and adds no second message.
     */
    static Messages.Utterance initialMessage(String text, Optional<RequestKeys.RequestKey> request) {
        return request.map(key -> Messages.Utterance.keyed(
                        text, "initial-" + UUID.nameUUIDFromBytes(key.key().getBytes(StandardCharsets.UTF_8))))
                .orElseGet(() -> Messages.Utterance.text(text));
    }

    static boolean flag(Call<?> call, String name) {
        return call.query(name)
                .map(text -> switch (text) {
                    case "true", "1" -> true;
                    case "false", "0" -> false;
                    default -> throw ProblemException.invalidField(name, "must be true or false");
                })
                .orElse(false);
    }

    private static List<Actor> actors(String field, @Nullable List<String> given, List<FieldError> errors) {
        List<Actor> actors = new ArrayList<>();
        List<String> texts = Objects.requireNonNullElse(given, List.of());
        for (int i = 0; i < texts.size(); i++) {
            String at = field + "[" + i + "]";
            Actor.parse(Objects.requireNonNullElse(texts.get(i), ""))
                    .ifPresentOrElse(
                            actors::add,
                            () -> errors.add(new FieldError(at, "must be a sender id such as user:{uuid}")));
        }
        return actors;
    }

    private static void refuse(List<FieldError> errors) {
        if (!errors.isEmpty()) {
            throw ProblemException.invalidFields(errors);
        }
    }

    /** A page size; clamped to the limit. */
    static int limit(Call<?> call, int largest) {
        return call.pageSize(Math.min(DEFAULT_PAGE, largest), largest);
    }

    static Optional<Long> seq(Call<?> call, String name) {
        return call.wholeNumber(name);
    }

    /** True if entries are wanted as they are in the log. */
    static boolean rawRevisions(Call<?> call) {
        Optional<String> revisions = call.query("revisions");
        if (revisions.isPresent() && !revisions.get().equals("raw")) {
            throw ProblemException.invalidField("revisions", "must be raw, or left out");
        }
        return revisions.isPresent();
    }

    /** The time in seconds to wait for events; clamped to the limit. */
    static Duration wait(Call<?> call, Duration longest) {
        Duration wait = Duration.ofSeconds(Math.min(call.wholeNumber("wait").orElse(0L), longest.toSeconds()));
        return wait.compareTo(longest) > 0 ? longest : wait;
    }

    /**
     * The cursor of an event read: the header that a reconnecting browser sends, or else one of the query parameters.
     */
    static Optional<String> cursor(Call<?> call) {
        return call.header("Last-Event-ID")
                .filter(id -> !id.isEmpty())
                .or(() -> call.query("after_seq"))
                .or(() -> call.query("last_thread_seq"));
    }
}
