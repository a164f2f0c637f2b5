package dev.parley.face.console;

import dev.parley.auth.Principal;
import dev.parley.http.Answer;
import dev.parley.http.Anyone;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.Map;
import java.util.Optional;

/**
 * Serves the console's page and its files to every caller. The files hold no data; the page reads all data through the
 * API.
 */
public final class ConsoleFace {
    private static final String PAGE = "index.html";
    private static final String FOLDER = "console/";

    private final Map<String, ConsoleFile> files;
    private final String policy;

    /**
     * Loads the built console, or a page that says that the server was built without the console.
     *
     * @param built the class loader that holds the built console
     * @param signIn the origin of another site that the page asks for tokens
     */
    public ConsoleFace(ClassLoader built, Optional<String> signIn) {
        Map<String, ConsoleFile> console = ConsoleFile.loadAll(built, "web");
        this.files = console.containsKey(PAGE)
                ? console
                : ConsoleFile.loadAll(ConsoleFace.class.getClassLoader(), "without-console");
        this.policy = policy(signIn);
    }

    /** Allows browsers to load and run only the console's own files, and to treat no text as markup. */
    private static String policy(Optional<String> signIn) {
        return "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"
                + signIn.map(origin -> " " + origin).orElse("")
                + "; img-src 'self' blob:; worker-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types parley";
    }

    public void addTo(Routes<Principal> routes) {
        routes.openGet("/", call -> answer(call, PAGE))
                .openGet("/console/{file}", call -> answer(call, FOLDER + call.path("file")));
    }

    private Answer answer(Call<Anyone> call, String name) {
        ConsoleFile file = files.get(name);
        if (file == null) {
            throw new ProblemException(Problem.ROUTE_NOT_FOUND, "The console has no such file.");
        }
        // Every file has this header, because a worker is bound by the header of its own script.
        return file.answer(call).withHeader("Content-Security-Policy", policy);
    }
}
