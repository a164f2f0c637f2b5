package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.Collections;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ids and names follow the same rules in every request. */
class ClientNamesTest {
    @AutoClose
    private static final RunningServer server =
            Session.start("--limit-display-name", "5", "--limit-opaque-id", "60", "--limit-session-run-events", "2");

    private final Session session = Session.fresh(server);

    private Api.Reply tell(String members) {
        return session.append("{" + members + "\"message\":{\"id\":\"m\",\"role\":\"assistant\",\"content\":\"x\"}}");
    }

    private Api.Reply stream(String members, int events) {
        String all = String.join(
                ",", Collections.nCopies(events, "{\"event\":\"RunContent\",\"run_id\":\"r\",\"content\":\"x\"}"));
        return session.api()
                .post(session.path("/runs/r/events"), "{" + members + "\"first\":0,\"events\":[" + all + "]}");
    }

    @ParameterizedTest
    @CsvSource({
        "agent_name, 123456",
        "team_name, 123456",
        "agent_name, a\\ud800",
        "agent_id, ''",
        "agent_id, \\u0000",
        "parent_run_id, 1234567890123456789012345678901234567890123456789012345678901"
    })
    void forbiddenTextIsRefusedEverywhere(String member, String value) {
        String given = "\"" + member + "\":\"" + value + "\",";
        for (Api.Reply reply : new Api.Reply[] {tell(given), stream(given, 1)}) {
            assertThat(reply.problem()).as(reply.toString()).contains("invalid-fields");
            assertThat(reply.json().path("errors").get(0).path("field").asString())
                    .isEqualTo(member);
        }
    }

    @ParameterizedTest
    @CsvSource({"agent_name, 👩‍👩‍👧", "agent_name, ''", "team_name, ' '", "agent_id, ' '"})
    void allowedTextIsTakenEverywhere(String member, String value) {
        String given = "\"" + member + "\":\"" + value + "\",";
        assertThat(tell(given).status()).isEqualTo(201);
        assertThat(stream(given, 1).status()).isEqualTo(200);
        String kept = member.endsWith("_name") && value.isBlank() ? "" : value;
        assertThat(session.rows().get(0).path(member).asString("")).isEqualTo(kept);
        assertThat(session.api()
                        .get(session.path("/runs/r"))
                        .json()
                        .path(member)
                        .asString(""))
                .isEqualTo(kept);
    }

    @Test
    void eventsOfAPostAreLimited() {
        assertThat(stream("", 3).problem()).contains("invalid-fields");
        assertThat(stream("", 2).status()).isEqualTo(200);
    }
}
