package dev.parley.runs;

import dev.parley.agents.Turn;
import dev.parley.assembly.Assembly;
import dev.parley.attachments.Attachments;
import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.StoredObject;
import dev.parley.attachments.images.ImageType;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadSnapshot;
import dev.parley.threads.Threads;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Gathers what an agent is given for a run: the conversation as it stands when the run begins, and what came with it. */
final class RunTurns {
    private final RunStore store;
    private final Threads threads;
    private final Messages messages;
    private final Attachments attachments;
    private final int contextMessages;

    RunTurns(RunStore store, Threads threads, Messages messages, Attachments attachments, int contextMessages) {
        this.store = store;
        this.threads = threads;
        this.messages = messages;
        this.attachments = attachments;
        this.contextMessages = contextMessages;
    }

    Turn of(Run run) {
        List<RevisedMessage> triggers = messages.at(run.thread(), run.triggers());
        RunAgentInput input = input(run);
        // What is said while it runs is not part of it, however late it asks.
        long before = run.readsTo() == null ? messages.nextSeq(run.thread()) : run.readsTo();
        List<Turn.Image> files = files(run.thread(), triggers);
        return new Turn(
                run.thread(),
                run.runId(),
                run.taskId(),
                run.agent(),
                triggers.stream()
                        .map(message -> withoutAddress(message.content(), run))
                        .collect(Collectors.joining("\n")),
                files.stream().filter(RunTurns::isImage).toList(),
                files.stream().filter(file -> !isImage(file)).toList(),
                links(triggers),
                new Conversation(() -> context(run, before, triggers)),
                () -> state(run.thread()),
                input,
                results(run, input),
                answers(run, input),
                id -> messages.holds(run.thread(), id));
    }

    private List<Message> context(Run run, long before, List<RevisedMessage> triggers) {
        List<RevisedMessage> seen = new ArrayList<>(messages.lastBefore(run.thread(), before, contextMessages));
        Set<Long> own = new HashSet<>(run.triggers());
        seen.removeIf(message -> own.contains(message.original().seq()));
        seen.addAll(triggers);
        return Assembly.context(seen, new Assembly.Viewpoint(run.agent(), own, store.otherTriggers(run), names(run)));
    }

    /** Read once, when somebody asks: a long conversation is not read for an agent that never looks at it. */
    private static final class Conversation implements Supplier<List<Message>> {
        private final Supplier<List<Message>> source;
        private @Nullable List<Message> read;

        Conversation(Supplier<List<Message>> source) {
            this.source = source;
        }

        @Override
        public synchronized List<Message> get() {
            List<Message> messages = read;
            if (messages == null) {
                messages = source.get();
                read = messages;
            }
            return messages;
        }
    }

    private JsonNode state(ThreadId thread) {
        return store.state(thread)
                .map(state -> Json.MAPPER.readTree(state.json()))
                .orElseGet(Json.MAPPER::createObjectNode);
    }

    private static boolean isImage(Turn.Image file) {
        return ImageType.ofMimeType(file.mimeType()).isPresent();
    }

    private static List<Turn.Link> links(List<RevisedMessage> triggers) {
        return triggers.stream()
                .filter(message -> !message.isDeleted())
                .map(message -> message.original().said())
                .filter(said -> said.metadata() != null && said.metadata().contains(MessageFiles.ELSEWHERE))
                .flatMap(said -> MessageFiles.elsewhere(Json.MAPPER.readTree(said.metadata())).stream()
                        .map(part -> new Turn.Link(said.id(), part)))
                .toList();
    }

    private List<Turn.Image> files(ThreadId thread, List<RevisedMessage> triggers) {
        List<Named> named = triggers.stream()
                .filter(message -> !message.isDeleted())
                .map(message -> message.original().said())
                .flatMap(said -> RunFiles.keysIn(said.metadata()).stream().map(key -> new Named(key, said.id())))
                .toList();
        Map<ObjectKey, StoredObject> shown =
                attachments.shownIn(thread, named.stream().map(Named::key).toList());
        List<Turn.Image> images = new ArrayList<>();
        for (Named each : named) {
            StoredObject object = shown.get(each.key());
            if (object != null) {
                images.add(image(object, each.messageId()));
            }
        }
        return images;
    }

    /** An image, and the message that names it. */
    private record Named(ObjectKey key, String messageId) {}

    private Turn.Image image(StoredObject object, String messageId) {
        return new Turn.Image(
                messageId,
                object.mimeType(),
                object.filename(),
                object.bytes(),
                Objects.requireNonNullElse(object.width(), 0),
                Objects.requireNonNullElse(object.height(), 0),
                () -> attachments.open(object, 0, object.bytes()));
    }

    /** Who is called by name is not told its own name again. */
    private String withoutAddress(String text, Run run) {
        String name = text.startsWith("@") ? names(run).getOrDefault(run.agent(), "") : "";
        String address = "@" + name;
        return !name.isBlank() && text.startsWith(address)
                ? text.substring(address.length()).replaceFirst("^[\\s,:]+", "")
                : text;
    }

    private List<Message.Tool> results(Run run, RunAgentInput input) {
        List<Message.Tool> results = input.messages().stream()
                .filter(Message.Tool.class::isInstance)
                .map(Message.Tool.class::cast)
                .toList();
        if (results.isEmpty()) {
            return results;
        }
        Set<String> answered = new HashSet<>(store.callsAnsweredBy(run.taskId()));
        // Of several for one call the first is its result, here as in the log.
        return results.stream()
                .filter(message -> answered.remove(message.toolCallId()))
                .toList();
    }

    private Map<Actor, String> names(Run run) {
        return threads.roster(run.agent(), run.thread()).stream()
                .collect(Collectors.toMap(ThreadSnapshot.Member::actor, ThreadSnapshot.Member::displayName));
    }

    private List<Turn.Answer> answers(Run run, RunAgentInput input) {
        if (input.resume().isEmpty()) {
            return List.of();
        }
        Map<String, Interrupt> questions = store.answeredBy(run.taskId()).stream()
                .collect(Collectors.toMap(Interrupt::id, question -> question, (first, second) -> second));
        List<Turn.Answer> answers = new ArrayList<>();
        for (ResumeEntry decision : input.resume()) {
            Interrupt question = questions.get(decision.interruptId());
            if (question != null) {
                answers.add(new Turn.Answer(question, decision));
            }
        }
        return answers;
    }

    private RunAgentInput input(Run run) {
        return store.input(run.taskId())
                .map(json -> Json.MAPPER.readValue(json, RunAgentInput.class))
                .orElseGet(() -> new RunAgentInput(
                        run.thread().toString(),
                        run.runId(),
                        RunAgentInput.PROTOCOL_VERSION,
                        null,
                        null,
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        List.of()));
    }
}
