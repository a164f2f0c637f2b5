package dev.parley.agents.demo;

import dev.parley.agents.Turn;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunEvent;
import java.util.List;

/** The answers that need nothing but words. */
final class Talk {
    private Talk() {}

    /** Says a text back as it is. What comes with a text, such as an image, is to be described here as well. */
    static void echo(Turn turn, String said, Voice voice) throws InterruptedException {
        voice.answer(
                said.isEmpty()
                        ? "You said nothing that I can read. Say /help to see what I can do."
                        : saidBack(turn.text()));
    }

    static void think(Turn turn, String said, Voice voice) throws InterruptedException {
        String span = voice.newId();
        String thought = voice.newId();
        voice.enter(Stage.INTENT);
        voice.emit(new ReasoningEvent.Start(span));
        voice.emit(new ReasoningEvent.MessageStart(thought));
        for (String word : Words.of("They want an answer to: " + said + "\nI will say it back.")) {
            voice.emit(new ReasoningEvent.MessageContent(thought, word));
        }
        voice.emit(new ReasoningEvent.MessageEnd(thought));
        voice.emit(new ReasoningEvent.End(span));
        voice.leave(Stage.INTENT);
        voice.answer(saidBack(said));
    }

    static void card(Turn turn, String said, Voice voice) throws InterruptedException {
        Hints hints = new Hints(Hints.Status.INFO, said, "A card that the demo agent made.", List.of());
        voice.answer("Here is your card: " + said, hints.ofAnswer());
    }

    /** Ends the run in the middle of a message. */
    static void fail(Turn turn, String said, Voice voice) throws InterruptedException {
        voice.enter(Stage.EXECUTION);
        String message = voice.begin();
        voice.add(message, "About ");
        voice.add(message, "to");
        voice.emit(new RunEvent.Failed("The demo agent failed, as it was told to.", "demo_failure"));
    }

    private static String saidBack(String text) {
        return "You said: " + text;
    }
}
