package dev.parley.face.console;

import dev.parley.basics.Sha256;
import dev.parley.http.Answer;
import dev.parley.http.Anyone;
import dev.parley.http.Call;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One file of the console, in every form in which it is sent.
 *
 * @param cacheControl the header's value: a long lifetime for a name with a hash, whose content never changes, and
 *     revalidation for every other name
 * @param forms the smallest form first; the last form is the one that every client accepts
 */
record ConsoleFile(String contentType, String cacheControl, List<Form> forms) {
    /** The hash that the build adds to a name before its ending. */
    private static final Pattern HASHED = Pattern.compile(".+-[A-Za-z0-9_-]{8}\\.[a-z0-9]+");

    private static final String PLAIN = "identity";

    /** The bytes of one content coding, with their ETag. */
    record Form(String coding, byte[] bytes, String tag) {
        static Form of(String coding, byte[] bytes) {
            return new Form(coding, bytes, "\"" + Base64.getEncoder().encodeToString(Sha256.of(bytes)) + "\"");
        }
    }

    /** The files that a folder of the class path lists, by name; empty if there is no such folder. */
    static Map<String, ConsoleFile> loadAll(ClassLoader loader, String folder) {
        return read(loader, folder + "/files.txt").stream()
                .flatMap(list -> new String(list, StandardCharsets.UTF_8).lines())
                .collect(Collectors.toUnmodifiableMap(Function.identity(), name -> load(loader, folder, name)));
    }

    private static ConsoleFile load(ClassLoader loader, String folder, String name) {
        String path = folder + "/" + name;
        byte[] plain = read(loader, path)
                .orElseThrow(() -> new IllegalStateException("The server was built without its console's " + name));
        return new ConsoleFile(
                type(name),
                HASHED.matcher(name).matches() ? "public, max-age=31536000, immutable" : "no-cache",
                Stream.of(
                                read(loader, path + ".br").map(bytes -> Form.of("br", bytes)),
                                read(loader, path + ".gz").map(bytes -> Form.of("gzip", bytes)),
                                Optional.of(Form.of(PLAIN, plain)))
                        .flatMap(Optional::stream)
                        .toList());
    }

    private static Optional<byte[]> read(ClassLoader loader, String path) {
        try (InputStream in = loader.getResourceAsStream(path)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "json" -> "application/json";
            case "txt" -> "text/plain; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "png" -> "image/png";
            case "woff2" -> "font/woff2";
            default -> throw new IllegalStateException("The console has no files like " + name + ".");
        };
    }

    Answer answer(Call<Anyone> call) {
        AcceptedCodings accepted = AcceptedCodings.of(call.header("Accept-Encoding"));
        Form form = forms.stream()
                .filter(each -> accepted.takes(each.coding()))
                .findFirst()
                .orElse(forms.getLast());
        boolean unchanged = call.header("If-None-Match")
                .filter(tags -> tags.contains(form.tag()))
                .isPresent();
        Answer answer = (unchanged ? Answer.of(304, null) : Answer.bytes(contentType, form.bytes()))
                .withHeader("ETag", form.tag())
                .withHeader("Cache-Control", cacheControl)
                // This header replaces the general Vary header. It therefore also names Origin, because the CORS
                // headers of every response depend on the request's Origin.
                .withHeader("Vary", "Accept-Encoding, Origin");
        return unchanged || form.coding().equals(PLAIN) ? answer : answer.withHeader("Content-Encoding", form.coding());
    }
}
