package dev.parley.agents.demo;

import dev.parley.agents.Turn;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The answers that consist of text alone. */
final class Talk {
    private Talk() {}

    /** Echoes a text unchanged and describes its images. */
    static void echo(Turn turn, String argument, DemoVoice voice) throws InterruptedException {
        String text = argument.isEmpty()
                ? "You said nothing that I can read. Say /help to see what I can do."
                : saidBack(turn.question().text());
        List<String> images =
                turn.question().images().stream().map(Talk::describe).toList();
        if (images.isEmpty()) {
            voice.answer(text);
        } else {
            String descriptions = String.join("\n", images);
            voice.answer(argument.isEmpty() ? descriptions : text + "\n" + descriptions);
        }
    }

    /** Describes the stored bytes, not the client's claims about them. */
    private static String describe(Turn.Image image) {
        try (InputStream bytes = image.content().get()) {
            long size = bytes.transferTo(OutputStream.nullOutputStream());
            return "I see an image: " + image.mimeType() + ", " + size + " bytes, " + image.width() + " × "
                    + image.height() + " pixels.";
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static void think(Turn turn, String argument, DemoVoice voice) throws InterruptedException {
        String span = voice.newId();
        String thought = voice.newId();
        voice.enter(DemoStage.INTENT);
        voice.emit(new ReasoningEvent.Start(span));
        voice.emit(new ReasoningEvent.MessageStart(thought));
        for (String word : WordPieces.of("They want an answer to: " + argument + "\nI will say it back.")) {
            voice.emit(new ReasoningEvent.MessageContent(thought, word));
        }
        voice.emit(new ReasoningEvent.MessageEnd(thought));
        voice.emit(new ReasoningEvent.End(span));
        voice.leave(DemoStage.INTENT);
        voice.answer(saidBack(argument));
    }

    static void card(Turn turn, String argument, DemoVoice voice) throws InterruptedException {
        Hints hints = new Hints(Hints.Status.INFO, argument, "A card that the demo agent made.", List.of());
        voice.answer("Here is your card: " + argument, hints.ofAnswer());
    }

    /** Ends the run in the middle of a message. */
    static void fail(Turn turn, String argument, DemoVoice voice) throws InterruptedException {
        voice.enter(DemoStage.EXECUTION);
        String message = voice.begin();
        voice.add(message, "About ");
        voice.add(message, "to");
        voice.emit(new RunEvent.Failed("The demo agent failed, as it was told to.", "demo_failure"));
    }

    private static String saidBack(String text) {
        return "You said: " + text;
    }
}
