package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.auth.Rate;
import dev.parley.http.RateKind;
import dev.parley.http.RouteKey;
import dev.parley.http.Unrated;
import dev.parley.testing.RunningServer;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every route inside the gate has a rate kind, except the routes listed here. */
class RouteRatesTest {
    private static Map<RouteKey, RateKind> rates = Map.of();

    @BeforeAll
    static void start() {
        try (RunningServer server = RunningServer.start()) {
            rates = server.server().rates();
        }
    }

    private static Stream<String> routes(Predicate<RateKind> wanted) {
        return rates.entrySet().stream()
                .filter(route -> wanted.test(route.getValue()))
                .map(route -> route.getKey().toString());
    }

    @Test
    void onlyOperatorRoutesAndTheCallersIdentityAreNotCounted() {
        assertThat(routes(Unrated.FREE::equals).filter(route -> !route.contains(" /api/v1/operator/")))
                .containsExactly("GET /api/v1/auth/me");
    }

    @Test
    void operatorsAreNeverCounted() {
        assertThat(routes(rate -> rate != Unrated.FREE)).noneMatch(route -> route.contains(" /api/v1/operator/"));
    }

    @Test
    void handlersThatCountByThemselvesAreFew() {
        assertThat(routes(Unrated.BY_HANDLER::equals))
                .containsExactlyInAnyOrder(
                        "POST /api/v1/auth/stream-tickets",
                        "POST /api/v1/chat/threads/{thread_id}/messages",
                        "PATCH /api/v1/chat/threads/{thread_id}/messages/{message_id}",
                        "DELETE /api/v1/chat/threads/{thread_id}/messages/{message_id}",
                        "PUT /api/v1/chat/threads/{thread_id}/messages/{message_id}/reactions/{emoji}",
                        "DELETE /api/v1/chat/threads/{thread_id}/messages/{message_id}/reactions/{emoji}",
                        "POST /api/v1/ingest/chat",
                        "POST /api/v1/ingest/sessions/{session_id}/messages",
                        "POST /api/v1/ingest/explain",
                        "POST /api/v1/ingest/revisions",
                        "POST /api/v1/owner/agents",
                        "GET /api/v1/owner/agents",
                        "GET /api/v1/owner/agents/{agent_id}",
                        "PATCH /api/v1/owner/agents/{agent_id}",
                        "DELETE /api/v1/owner/agents/{agent_id}",
                        "POST /api/v1/owner/external-agents/tokens",
                        "GET /api/v1/owner/external-agents/tokens",
                        "DELETE /api/v1/owner/external-agents/tokens/{token_id}",
                        "POST /storage/v1/object/sign/{bucket}/{path...}");
    }

    @Test
    void allOtherRoutesNameARate() {
        assertThat(routes(rate -> !(rate instanceof Unrated))).hasSizeGreaterThan(50);
        assertThat(rates.values()).allMatch(rate -> rate instanceof Rate || rate instanceof Unrated);
    }
}
