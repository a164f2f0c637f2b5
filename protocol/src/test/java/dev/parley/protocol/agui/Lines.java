package dev.parley.protocol.agui;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The documents of a file in {@code resources/agui}, one on each line. */
final class Lines {
    private Lines() {}

    static List<String> of(String file) {
        try (InputStream in = Objects.requireNonNull(Lines.class.getResourceAsStream("/agui/" + file), file)) {
            // Not lines(): the documents hold characters that it takes for line ends, and must stay as they are.
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return List.of(text.strip().split("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
