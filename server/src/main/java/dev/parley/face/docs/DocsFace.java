package dev.parley.face.docs;

import dev.parley.auth.Principal;
import dev.parley.basics.Sha256;
import dev.parley.http.Answer;
import dev.parley.http.Anyone;
import dev.parley.http.Call;
import dev.parley.http.Handler;
import dev.parley.http.Routes;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Serves the OpenAPI document and its page to every caller, and redirects a problem's type to its explanation. */
public final class DocsFace {
    private static final String CACHED = "public, max-age=300";

    private @Nullable Handler<Anyone> page;

    public void addTo(Routes<Principal> routes) {
        routes.openGet("/openapi.yaml", cached("application/yaml", ApiDocument.resource("openapi.yaml")))
                .openGet("/docs", call -> page().handle(call))
                .openGet("/problems/{slug}", DocsFace::problem);
    }

    /**
     * The page. It is built at the first request, because parsing the document and building the page would take a large
     * part of the server's start.
     */
    private synchronized Handler<Anyone> page() {
        Handler<Anyone> rendered = page;
        if (rendered == null) {
            rendered = render();
            page = rendered;
        }
        return rendered;
    }

    private static Handler<Anyone> render() {
        String style = ApiDocument.resource("docs.css");
        String policy = "default-src 'none'; style-src 'sha256-" + hash(style)
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        Handler<Anyone> cached = cached("text/html; charset=utf-8", DocsPage.render(ApiDocument.load(), style));
        return call -> cached.handle(call).withHeader("Content-Security-Policy", policy);
    }

    private static Handler<Anyone> cached(String contentType, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        String tag = "\"" + hash(text) + "\"";
        return call -> {
            boolean unchanged = call.header("If-None-Match")
                    .filter(tags -> tags.contains(tag))
                    .isPresent();
            return (unchanged ? Answer.of(304, null) : Answer.bytes(contentType, bytes))
                    .withHeader("ETag", tag)
                    .withHeader("Cache-Control", CACHED);
        };
    }

    private static Answer problem(Call<Anyone> call) {
        String slug = call.path("slug");
        if (Arrays.stream(Problem.values()).noneMatch(problem -> problem.slug().equals(slug))) {
            throw new ProblemException(Problem.ROUTE_NOT_FOUND, "There is no such problem.");
        }
        return Answer.of(302, null).withHeader("Location", "/docs#problem-" + slug);
    }

    private static String hash(String text) {
        return Base64.getEncoder().encodeToString(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
