package dev.parley.assembly;

import dev.parley.assembly.ContextMessage.Origin;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.Tool;
import dev.parley.protocol.agui.ToolCall;
import dev.parley.threads.ReadMessage;
import dev.parley.threads.RevisedMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns the messages of a thread into the context of one agent. The agent's own turns stay unchanged. The turns of
 * other authors carry names if there are several authors to tell apart. Results follow their calls, quotations are
 * between fences, and the model's provider accepts the form. Assembly is a pure function: the same inputs give the same
 * bytes, and the log stays unchanged.
 */
public final class Assembly {
    /** Incremented with every change of the output. */
    public static final int VERSION = 2;

    private final Fences fences;

    public Assembly(Fences fences) {
        this.fences = fences;
    }

    /**
     * The blocks before the conversation.
     *
     * @param instructions the agent's own instructions; empty if there are none
     * @param promptedTools the tools that the prompt describes to the model
     */
    public record Prompt(String instructions, List<Tool> promptedTools) {
        static final Prompt NONE = new Prompt("", List.of());
    }

    public List<ContextMessage> context(ContextInputs inputs, Prompt prompt, ModelShape shape) {
        List<ReadMessage> before = new ArrayList<>();
        List<ReadMessage> triggers = new ArrayList<>();
        inputs.messages().stream()
                .sorted(Comparator.comparingLong(ReadMessage::seq))
                .forEach(message -> {
                    if (inputs.triggers().contains(message.seq())) {
                        triggers.add(message);
                    } else if (counts(message.message(), inputs)) {
                        before.add(message);
                    }
                });
        Rendering rendering = new Rendering(inputs, fences, hasManyPeople(before, triggers));
        List<ContextMessage> shown = new ArrayList<>();
        before.forEach(message -> shown.addAll(rendering.of(message)));
        int history = shown.size();
        givenMessages(inputs, shape).ifPresent(shown::add);
        shown.addAll(given(inputs));
        triggers.forEach(message -> shown.addAll(rendering.of(message)));
        shown.addAll(inputs.soFar());
        List<ContextMessage> joined =
                Budget.shortened(LegalCalls.in(Batches.joined(shown), shape.strictCalls()), shape.tokens());
        List<ContextMessage> head = head(prompt, shape);
        int room = shape.tokens() - head.stream().mapToInt(TokenEstimate::in).sum();
        List<ContextMessage> whole = new ArrayList<>(head);
        whole.addAll(withRecalled(
                Budget.cut(joined, lengthOfRun(shown.subList(history, shown.size())), room), rendering));
        return Shaping.shaped(whole, shape);
    }

    /**
     * Puts recalled messages above the messages that asked for them. This step comes last, because it must know the
     * visible messages.
     */
    private static List<ContextMessage> withRecalled(List<ContextMessage> messages, Rendering rendering) {
        Set<Long> shown = messages.stream()
                .flatMap(message -> message.origin().seqs().stream())
                .collect(Collectors.toSet());
        List<ContextMessage> withRecalled = new ArrayList<>();
        for (ContextMessage message : messages) {
            if (message instanceof ContextMessage.User
                    && message.origin().seqs().size() == 1) {
                rendering
                        .recollection(message.origin().seqs().getFirst(), shown)
                        .ifPresent(withRecalled::add);
            }
            withRecalled.add(message);
        }
        return withRecalled;
    }

    /**
     * The number of messages at the end that belong to the run itself. A result counts with its call, because it has
     * moved to the call, which may be in an earlier run.
     */
    private static int lengthOfRun(List<ContextMessage> ofRun) {
        int lengthOfRun = 0;
        for (ContextMessage message : ofRun) {
            lengthOfRun += switch (message) {
                case ContextMessage.Assistant assistant -> 1 + assistant.calls().size();
                case ContextMessage.ToolResult result -> 0;
                case ContextMessage.SystemBlock system -> 1;
                case ContextMessage.User user -> 1;
            };
        }
        return lengthOfRun;
    }

    private static boolean counts(RevisedMessage message, ContextInputs inputs) {
        return !message.isDeleted()
                && !message.withdrawn()
                && !message.superseded()
                && !inputs.otherTriggers().contains(message.original().seq());
    }

    private static boolean hasManyPeople(List<ReadMessage> before, List<ReadMessage> triggers) {
        return Stream.concat(before.stream(), triggers.stream())
                        .filter(Rendering::isPersons)
                        .map(read -> read.message().original().content().author())
                        .distinct()
                        .limit(2)
                        .count()
                > 1;
    }

    private static List<ContextMessage> head(Prompt prompt, ModelShape shape) {
        List<ContextMessage> head = new ArrayList<>();
        if (!prompt.instructions().isBlank()) {
            head.add(new ContextMessage.SystemBlock(
                    prompt.instructions(), new Origin(List.of(), List.of(Transform.INSTRUCTIONS), null)));
        }
        ToolsPrompt.of(prompt.promptedTools())
                .map(block -> shape.nativeCalls() ? block : block + "\n" + PromptedCalls.USAGE)
                .ifPresent(block -> head.add(
                        new ContextMessage.SystemBlock(block, new Origin(List.of(), List.of(Transform.TOOLS), null))));
        return head;
    }

    /**
     * Messages that the client supplied are only the client's claim. Therefore they are quoted, and take at most half
     * of the context.
     */
    private Optional<ContextMessage> givenMessages(ContextInputs inputs, ModelShape shape) {
        return GivenBlock.of(inputs.givenMessages(), shape.tokens() / 2)
                .map(lines -> new ContextMessage.SystemBlock(
                        fences.quote(
                                inputs.thread(),
                                "given-messages/" + lastTrigger(inputs),
                                "messages that the app gave along with the next one, by their roles",
                                lines),
                        new Origin(List.of(), List.of(Transform.FENCED), null)));
    }

    private static long lastTrigger(ContextInputs inputs) {
        return inputs.triggers().stream().max(Long::compare).orElse(0L);
    }

    private List<ContextMessage> given(ContextInputs inputs) {
        if (inputs.given().isEmpty()) {
            return List.of();
        }
        String lines = inputs.given().stream()
                .map(each -> each.description().isBlank() ? each.value() : each.description() + ": " + each.value())
                .map(Quoted::clean)
                .collect(Collectors.joining("\n"));
        return List.of(new ContextMessage.SystemBlock(
                fences.quote(
                        inputs.thread(),
                        "given/" + lastTrigger(inputs),
                        "what the app says about the present situation",
                        lines),
                new Origin(List.of(), List.of(Transform.FENCED), null)));
    }

    /**
     * The calls in the metadata of a message; empty if they are unreadable, because an agent that posts its own
     * messages may have written any value there.
     */
    public static List<ToolCall> calls(ObjectNode metadata) {
        if (!metadata.has("tool_calls")) {
            return List.of();
        }
        ObjectNode message = Json.MAPPER.createObjectNode().put("id", "-").put("role", "assistant");
        message.set("toolCalls", metadata.get("tool_calls"));
        try {
            return AguiJson.readMessage(message, "") instanceof Message.Assistant made ? made.toolCalls() : List.of();
        } catch (ProblemException unreadable) {
            return List.of();
        }
    }
}
