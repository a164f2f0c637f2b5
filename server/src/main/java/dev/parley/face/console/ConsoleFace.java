package dev.parley.face.console;

import dev.parley.auth.Principal;
import dev.parley.http.Answer;
import dev.parley.http.Anyone;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Serves the console's page and its files to anyone: there is nothing in them, all they show they ask the API for. */
public final class ConsoleFace {
    /** Browsers run and load our own files only, and take no text for markup, whatever a message says. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'";

    private static final List<String> FILES = List.of(
            "api.js",
            "card.js",
            "cards.js",
            "composer.js",
            "console.css",
            "conversation.js",
            "dom.js",
            "icon.svg",
            "image.js",
            "live.js",
            "log.js",
            "main.js",
            "message.js",
            "outbox.js",
            "reading.js",
            "runs.js",
            "stream.js",
            "threads.js",
            "uploads.js");

    private final ConsoleFile page = ConsoleFile.load("index.html");
    private final Map<String, ConsoleFile> files =
            FILES.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), ConsoleFile::load));

    public void addTo(Routes<Principal> routes) {
        routes.openGet("/", this::page).openGet("/console/{file}", this::file);
    }

    private Answer page(Call<Anyone> call) {
        return page.answer(call).withHeader("Content-Security-Policy", POLICY);
    }

    private Answer file(Call<Anyone> call) {
        ConsoleFile file = files.get(call.path("file"));
        if (file == null) {
            throw new ProblemException(Problem.ROUTE_NOT_FOUND, "The console has no such file.");
        }
        return file.answer(call);
    }
}
