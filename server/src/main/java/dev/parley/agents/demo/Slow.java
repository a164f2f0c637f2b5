package dev.parley.agents.demo;

import dev.parley.agents.Turn;
import dev.parley.protocol.agui.Common;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Words at a steady pace, so that there is time to watch, to leave and come back, or to cancel. */
record Slow(Pause pause) implements Row {
    static final Duration BEAT = Duration.ofMillis(50);

    /** Takes over eight minutes, which is less than a run may last. */
    static final int MOST = 10_000;

    private static final Pattern NUMBER = Pattern.compile("0*+([0-9]++)");

    @Override
    public void answer(Turn turn, String said, Voice voice) throws InterruptedException {
        Matcher number = NUMBER.matcher(said);
        if (!number.matches()) {
            voice.answer("I need a number of words from 1 to " + MOST + ", such as /slow 20.");
            return;
        }
        // A number with more digits than the most is more than the most.
        String digits = number.group(1);
        int words = digits.length() > 5 ? MOST + 1 : Integer.parseInt(digits);
        voice.enter(Stage.EXECUTION);
        if (words > MOST) {
            voice.say("That is more than I can do: I will stop after " + MOST + " words.", Common.NONE);
            words = MOST;
        }
        String message = voice.begin();
        for (int word = 1; word <= words; word++) {
            if (word > 1) {
                pause.pause(BEAT);
            }
            voice.add(message, word < words ? word + " " : word + ".");
        }
        voice.end(message);
        voice.leave(Stage.EXECUTION);
    }
}
