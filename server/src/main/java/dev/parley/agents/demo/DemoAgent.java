package dev.parley.agents.demo;

import dev.parley.agents.Agent;
import dev.parley.agents.Turn;
import dev.parley.protocol.UuidV7;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The agent for tests and newcomers. The beginning of a text selects a feature of a run to show: streaming, tools,
 * approval, reasoning, state, subagents or failure.
 */
public final class DemoAgent implements Agent {
    private final Supplier<String> ids;
    private final Map<String, DemoCommand> commands = new LinkedHashMap<>();

    /** The agent of a real server. */
    public DemoAgent() {
        this(() -> UuidV7.next().toString(), UuidV7::next, Thread::sleep);
    }

    /**
     * @param ids supplies the ids of messages, calls and interrupts
     * @param members supplies the ids of child runs for the members of a team, as UUIDs of version 7
     */
    DemoAgent(Supplier<String> ids, Supplier<UUID> members, Pause pause) {
        this.ids = ids;
        Stream.of(
                        new DemoCommand(
                                "/tool",
                                "<name> <json>",
                                "calls a tool of your app and waits for its answer",
                                FrontendTools::call),
                        new DemoCommand("/approve", "<question>", "asks for your approval", Approvals::ask),
                        new DemoCommand(
                                "/slow",
                                "<n>",
                                "says n words, one every " + Slow.WORD_INTERVAL.toMillis() + " ms",
                                new Slow(pause)),
                        new DemoCommand("/think", "<text>", "thinks before it answers", Talk::think),
                        new DemoCommand("/state", "<json>", "sets the shared state, then changes it", StateDemo::set),
                        new DemoCommand("/card", "<title>", "answers with a card", Talk::card),
                        new DemoCommand("/team", "<text>", "lets two other agents work on it", new Team(members)),
                        new DemoCommand("/fail", "", "fails after two words", Talk::fail),
                        new DemoCommand("/help", "", "says all this", this::help))
                .forEach(command -> commands.put(command.name(), command));
    }

    @Override
    public void answer(Turn turn, Emitter emitter) throws InterruptedException {
        DemoVoice voice = new DemoVoice(emitter, ids, null);
        List<String> replies = Stream.concat(FrontendTools.quotes(turn), Approvals.decisions(turn))
                .toList();
        if (!replies.isEmpty()) {
            // If the run has tool results or decisions, only these are answered, and the text is not.
            voice.answer(String.join("\n", replies));
            return;
        }
        String text = turn.question().text().strip();
        int end = 0;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        DemoCommand command = commands.get(text.substring(0, end).toLowerCase(Locale.ROOT));
        if (command == null) {
            DemoAction action = Weather.cityIn(text).isPresent() ? Weather::tell : Talk::echo;
            action.answer(turn, text, voice);
            return;
        }
        String argument = text.substring(end).strip();
        if (command.lacks(argument)) {
            voice.answer("Say it like this: " + command.usage());
        } else {
            command.action().answer(turn, argument, voice);
        }
    }

    private void help(Turn turn, String argument, DemoVoice voice) throws InterruptedException {
        String usages = commands.values().stream().map(DemoCommand::usage).collect(Collectors.joining("\n"));
        voice.answer(usages + "\nweather in <city>: looks up an invented weather\nanything else: says it back");
    }
}
