package dev.parley.runs.execution;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.Turn;
import dev.parley.assembly.AguiContext;
import dev.parley.assembly.ContextInputs;
import dev.parley.assembly.ContextMessage;
import dev.parley.attachments.Attachments;
import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.StoredObject;
import dev.parley.attachments.images.ImageType;
import dev.parley.contexts.Contexts;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.input.GivenMessages;
import dev.parley.runs.input.RunFiles;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Gathers the turn that an agent receives for a run: the conversation when the run begins, and the client's input. */
public final class RunTurns {
    private static final Alphabet AFTER_NAME = Alphabet.of(" \t\n\u000b\f\r,:");

    private final RunStore store;
    private final Messages messages;
    private final Attachments attachments;
    private final Contexts contexts;
    private final Agents agents;
    private final RunInputs inputs;
    private final int contextTokens;

    public RunTurns(
            RunStore store,
            Messages messages,
            Attachments attachments,
            Contexts contexts,
            Agents agents,
            RunInputs inputs,
            Limits.Contexts limits) {
        this.store = store;
        this.messages = messages;
        this.attachments = attachments;
        this.contexts = contexts;
        this.agents = agents;
        this.inputs = inputs;
        this.contextTokens = limits.tokens();
    }

    /** @param agent the agent that answers */
    Turn of(Run run, RegisteredAgent agent) {
        // Messages appended during the run are not part of the turn, however late the agent reads.
        long before = run.readsTo() == null ? messages.nextSeq(run.thread()) : run.readsTo();
        return of(
                run,
                agent,
                messages.at(run.thread(), run.triggers()),
                input(run),
                before,
                new Lazy<>(() -> inputs.names(run)));
    }

    /** The turn of a fresh run, without reading its known facts again. */
    Turn of(FreshRun fresh) {
        Run run = fresh.run();
        List<RevisedMessage> triggers = fresh.messages().stream()
                .filter(entry -> run.triggers().contains(entry.seq()))
                .map(RevisedMessage::unrevised)
                .toList();
        long before = fresh.messages().isEmpty()
                ? messages.nextSeq(run.thread())
                : fresh.messages().getLast().seq() + 1;
        return of(
                run,
                fresh.agent(),
                triggers,
                fresh.input(),
                before,
                () -> RunInputs.names(fresh.roster().members()));
    }

    private Turn of(
            Run run,
            RegisteredAgent agent,
            List<RevisedMessage> triggers,
            RunAgentInput input,
            long before,
            Supplier<Map<Actor, String>> names) {
        List<Turn.Image> files = files(run.thread(), triggers);
        List<Message.Tool> results = results(run, input);
        Supplier<ContextInputs> seen = new Lazy<>(() -> inputs.of(run, before, triggers, input, results, names.get()));
        Contexts.ToldTools tools = new Contexts.ToldTools(input.tools(), agent.kind() == RegisteredAgent.Kind.DEMO);
        Contexts.ForRun self = new Contexts.ForRun(run.thread(), run.taskId(), run.agent(), spender(run));
        return new Turn(
                run.thread(),
                run.name(),
                run.agent(),
                new Turn.Question(
                        triggers.stream()
                                .map(message -> withoutAddress(message.content(), run, names))
                                .collect(Collectors.joining("\n")),
                        files.stream().filter(RunTurns::isImage).toList(),
                        files.stream().filter(file -> !isImage(file)).toList(),
                        links(triggers)),
                new Turn.Input(
                        input,
                        GivenMessages.mayBeIn(input) ? seen.get().givenMessages() : List.of(),
                        results,
                        RunAnswers.of(run, input, store, () -> seen.get().messages())),
                new Turn.ThreadAccess(
                        new Lazy<>(() -> AguiContext.of(contexts.neutral(self, seen.get(), tools, contextTokens))),
                        () -> state(run.thread()),
                        id -> messages.holds(run.thread(), id)),
                contexts.requests(self, seen, picture -> open(run.thread(), picture)));
    }

    /** The actor who pays for the run's requests. For a run that an agent started this is that agent's owner. */
    private Actor spender(Run run) {
        Actor asking = run.startedBy();
        return asking.kind() == Actor.Kind.AGENT
                ? agents.find(asking).map(RegisteredAgent::owner).orElse(asking)
                : asking;
    }

    /** The bytes of an image of the thread, if the image still exists. */
    private Optional<InputStream> open(ThreadId thread, ContextMessage.Part.Picture picture) {
        return Optional.ofNullable(
                        attachments.shownIn(thread, List.of(picture.object())).get(picture.object()))
                .map(object -> attachments.open(object, 0, object.bytes()));
    }

    /** A value that is read from its source once, on the first call. */
    private static final class Lazy<T> implements Supplier<T> {
        private final Supplier<T> source;
        private @Nullable T read;

        Lazy(Supplier<T> source) {
            this.source = source;
        }

        @Override
        public synchronized T get() {
            T value = read;
            if (value == null) {
                value = source.get();
                read = value;
            }
            return value;
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
                .map(message -> message.original().content())
                .filter(content ->
                        content.metadata() != null && content.metadata().contains(MessageFiles.ELSEWHERE))
                .flatMap(content -> MessageFiles.elsewhere(Json.MAPPER.readTree(content.metadata())).stream()
                        .map(part -> new Turn.Link(content.id(), part)))
                .toList();
    }

    private List<Turn.Image> files(ThreadId thread, List<RevisedMessage> triggers) {
        List<NamedFile> named = triggers.stream()
                .filter(message -> !message.isDeleted())
                .map(message -> message.original().content())
                .flatMap(content ->
                        RunFiles.keysIn(content.metadata()).stream().map(key -> new NamedFile(key, content.id())))
                .toList();
        Map<ObjectKey, StoredObject> shown =
                attachments.shownIn(thread, named.stream().map(NamedFile::key).toList());
        List<Turn.Image> images = new ArrayList<>();
        for (NamedFile each : named) {
            StoredObject object = shown.get(each.key());
            if (object != null) {
                images.add(image(object, each.messageId()));
            }
        }
        return images;
    }

    /** A file, and the message that names it. */
    private record NamedFile(ObjectKey key, String messageId) {}

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

    /** The text without the agent's name at its start. */
    private static String withoutAddress(String text, Run run, Supplier<Map<Actor, String>> names) {
        String name = text.startsWith("@") ? names.get().getOrDefault(run.agent(), "") : "";
        String address = "@" + name;
        return !name.isBlank() && text.startsWith(address)
                ? AFTER_NAME.strippedFrom(text.substring(address.length()))
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
        // If one call has several results, the first result counts, here as in the log.
        return results.stream()
                .filter(message -> answered.remove(message.toolCallId()))
                .toList();
    }

    private RunAgentInput input(Run run) {
        return store.input(run.taskId())
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
