package dev.parley.agents.demo;

import dev.parley.agents.Turn;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.Tool;
import dev.parley.protocol.agui.ToolCall;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Calls tools that run in the caller's app, which ends the run, and quotes their results in the next run. */
final class FrontendTools {
    private static final int MAX_NAMES = 20;
    private static final int MAX_NAME = 100;

    private FrontendTools() {}

    static void call(Turn turn, String argument, DemoVoice voice) throws InterruptedException {
        String[] words = argument.split("\\s+", 2);
        String name = words[0];
        String arguments = words.length == 1 ? "{}" : words[1];
        List<Tool> tools = turn.input().sent().tools();
        if (tools.stream().noneMatch(tool -> tool.name().equals(name))) {
            voice.answer("I know no tool named " + WordPieces.shortened(name, MAX_NAME) + ". " + known(tools));
        } else if (JsonObjects.in(arguments).isEmpty()) {
            voice.answer("The text after the tool's name is not one JSON object. " + known(tools));
        } else {
            voice.enter(DemoStage.INTENT);
            String call = voice.call(name, arguments);
            voice.leave(DemoStage.INTENT);
            voice.emit(new RunEvent.Finished(
                    turn.input().sent().threadId(), turn.input().sent().runId(), new Outcome.Success(List.of(call))));
        }
    }

    /** One line per tool result in the run's input. */
    static Stream<String> quotes(Turn turn) {
        return turn.input().results().stream().map(result -> {
            String quote = "The tool " + calledTool(turn, result.toolCallId()) + " answered: "
                    + result.content().plainText();
            return result.error() == null ? quote : quote + " (error: " + result.error() + ")";
        });
    }

    /** The tool's name if the conversation still shows the call, else the call's id. */
    private static String calledTool(Turn turn, String call) {
        return turn.context().stream()
                .flatMap(message -> message instanceof Message.Assistant assistant
                        ? assistant.toolCalls().stream()
                        : Stream.<ToolCall>empty())
                .filter(toolCall -> toolCall.id().equals(call))
                .map(toolCall -> toolCall.function().name())
                .findFirst()
                .orElse(call);
    }

    private static String known(List<Tool> tools) {
        if (tools.isEmpty()) {
            return "Your app brought no tools along.";
        }
        return tools.stream()
                .limit(MAX_NAMES)
                .map(tool -> WordPieces.shortened(tool.name(), MAX_NAME))
                .collect(Collectors.joining(", ", "I know: ", tools.size() > MAX_NAMES ? ", …" : "."));
    }
}
