package dev.parley.face.console;

import dev.parley.http.Answer;
import dev.parley.http.Anyone;
import dev.parley.http.Call;
import dev.parley.storage.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;

/** One file of the console as it is sent: browsers keep it, but ask each time whether it is still the same. */
record ConsoleFile(String contentType, byte[] bytes, String tag) {
    static ConsoleFile load(String name) {
        try (InputStream in = ConsoleFile.class.getResourceAsStream("/console/" + name)) {
            if (in == null) {
                throw new IllegalStateException("The server was built without its console's " + name + ".");
            }
            byte[] bytes = in.readAllBytes();
            return new ConsoleFile(
                    type(name), bytes, "\"" + Base64.getEncoder().encodeToString(Sha256.of(bytes)) + "\"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalArgumentException("The console has no files like " + name + ".");
        };
    }

    Answer answer(Call<Anyone> call) {
        boolean known =
                call.header("If-None-Match").filter(tags -> tags.contains(tag)).isPresent();
        return (known ? Answer.of(304, null) : Answer.bytes(contentType, bytes))
                .withHeader("ETag", tag)
                .withHeader("Cache-Control", "no-cache");
    }
}
