package dev.parley.agents.demo;

import dev.parley.agents.Turn;
import dev.parley.protocol.agui.Common;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers with words at a steady pace, which leaves time to watch, to reconnect or to cancel. */
record Slow(Pause pause) implements DemoAction {
    static final Duration WORD_INTERVAL = Duration.ofMillis(50);

    /** Limit of words. The longest answer takes over eight minutes, which is less than a run may last. */
    static final int MAX_WORDS = 10_000;

    private static final Pattern NUMBER = Pattern.compile("0*+([0-9]++)");

    @Override
    public void answer(Turn turn, String argument, DemoVoice voice) throws InterruptedException {
        Matcher number = NUMBER.matcher(argument);
        if (!number.matches()) {
            voice.answer("I need a number of words from 1 to " + MAX_WORDS + ", such as /slow 20.");
            return;
        }
        // A number with more digits than MAX_WORDS is larger than MAX_WORDS.
        String digits = number.group(1);
        int words = digits.length() > 5 ? MAX_WORDS + 1 : Integer.parseInt(digits);
        voice.enter(DemoStage.EXECUTION);
        if (words > MAX_WORDS) {
            voice.say("That is more than I can do: I will stop after " + MAX_WORDS + " words.", Common.NONE);
            words = MAX_WORDS;
        }
        String message = voice.begin();
        for (int word = 1; word <= words; word++) {
            if (word > 1) {
                pause.pause(WORD_INTERVAL);
            }
            voice.add(message, word < words ? word + " " : word + ".");
        }
        voice.end(message);
        voice.leave(DemoStage.EXECUTION);
    }
}
