package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The gate counts a call by the kind of its route: after its size is checked, before its body is read. */
class RateKindTest {
    private enum Kind implements RateKind {
        READ,
        WRITE,
        REFUSED
    }

    private final List<Object> seen = new CopyOnWriteArrayList<>();

    private final Gate<String> gate = new Gate<>() {
        @Override
        public String admit(RequestHead head) {
            return "ada";
        }

        @Override
        public void count(String caller, RateKind kind) {
            seen.add(caller + " " + kind);
            if (kind == Kind.REFUSED) {
                throw new ProblemException(Problem.RATE_LIMITED, "Too often.");
            }
        }
    };

    private final Routes<String> routes = new Routes<String>()
            .get("/read", Kind.READ, call -> handled())
            .post("/refused", 10, Kind.REFUSED, call -> {
                call.body();
                return handled();
            })
            .get("/free", Unrated.FREE, call -> handled())
            .get("/own", Unrated.BY_HANDLER, call -> {
                seen.add("checked");
                call.count(Kind.WRITE);
                return handled();
            })
            .openGet("/open", call -> {
                call.count(Kind.READ);
                return handled();
            });

    private final HttpEdge<String> edge =
            HttpEdge.start(TestEdge.SETTINGS, BrowserRules.NONE, routes, gate, new SimpleMeterRegistry());

    private Answer handled() {
        seen.add("handled");
        return Answer.noContent();
    }

    private String answer(String head) throws Exception {
        try (RawClient raw = new RawClient(edge.port(), 0)) {
            raw.send(head + " HTTP/1.1\r\nHost: a\r\n");
            return raw.send("\r\n").response();
        }
    }

    @AfterEach
    void close() {
        edge.stop(Duration.ofSeconds(5));
    }

    @Test
    void callIsCountedByItsKindBeforeItsHandler() throws Exception {
        assertThat(answer("GET /read")).startsWith("HTTP/1.1 204 ");
        assertThat(seen).containsExactly("ada READ", "handled");
    }

    @Test
    void unratedCallIsNotCounted() throws Exception {
        assertThat(answer("GET /free")).startsWith("HTTP/1.1 204 ");
        assertThat(seen).containsExactly("handled");
    }

    @Test
    void handlerThatCountsByItself_countsWhereItWants() throws Exception {
        assertThat(answer("GET /own")).startsWith("HTTP/1.1 204 ");
        assertThat(seen).containsExactly("checked", "ada WRITE", "handled");
    }

    @Test
    void refusedCallIsAnsweredBeforeItsBodyComes() throws Exception {
        try (RawClient raw = new RawClient(edge.port(), 0)) {
            raw.send("POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
            assertThat(raw.response()).startsWith("HTTP/1.1 429 ");
        }
        assertThat(seen).containsExactly("ada REFUSED");
    }

    @Test
    void callWithTooLargeABodyIsNotCounted() throws Exception {
        try (RawClient raw = new RawClient(edge.port(), 0)) {
            raw.send("POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n");
            assertThat(raw.response()).startsWith("HTTP/1.1 413 ");
        }
        assertThat(seen).isEmpty();
    }

    @Test
    void callOutsideTheGateCannotBeCounted() throws Exception {
        assertThat(answer("GET /open")).startsWith("HTTP/1.1 500 ");
        assertThat(seen).isEmpty();
    }

    @Test
    void tableListsTheKindsOfTheRoutesInsideTheGate() {
        assertThat(routes.rates())
                .isEqualTo(Map.of(
                        new RouteKey("GET", "/read"), Kind.READ,
                        new RouteKey("POST", "/refused"), Kind.REFUSED,
                        new RouteKey("GET", "/free"), Unrated.FREE,
                        new RouteKey("GET", "/own"), Unrated.BY_HANDLER));
    }
}
