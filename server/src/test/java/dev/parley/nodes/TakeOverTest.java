package dev.parley.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Nodes;
import dev.parley.testing.StreamTap;
import dev.parley.testkit.FaultProxy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A node without heartbeats loses its runs to other nodes, and writes nothing when it comes back. */
class TakeOverTest {
    /** Two leases, since a judging node must have been up for a whole one, and much time for a slow machine. */
    private static final Duration TAKE_OVER = Duration.ofSeconds(120);

    private final Talker ada = Talker.somebody("Ada");
    private final String thread = UUID.randomUUID().toString();

    @Test
    void aNodeThatIsCutOffLosesItsRunsAndWritesNothing() throws Exception {
        try (Nodes nodes = Nodes.onFreshDatabase()) {
            String url = nodes.database().address().jdbcUrl();
            URI database = URI.create(url.substring("jdbc:".length()));
            try (FaultProxy network = FaultProxy.to(new InetSocketAddress(database.getHost(), database.getPort()))) {
                Nodes.Node cutOff = nodes.start(
                        "--database-url",
                        url.replace(":" + database.getPort() + "/", ":" + network.port() + "/"),
                        "--shutdown-grace",
                        "1s");
                ada.startRun(cutOff, thread, "run", "/slow 6000");
                try (StreamTap seen = ada.followRun(cutOff, thread, "run", "")) {
                    await().atMost(Talker.LIMIT)
                            .until(() -> seen.frames("TEXT_MESSAGE_CONTENT").size() > 3);
                }
                Nodes.Node other = nodes.start("--shutdown-grace", "1s");
                network.pause();
                await().atMost(TAKE_OVER)
                        .until(() -> ada.run(other, thread, "run")
                                .path("state")
                                .asString()
                                .equals("failed"));
                JsonNode run = ada.run(other, thread, "run");
                assertThat(run.at("/error/code").asString()).isEqualTo("interrupted");
                List<String> written = log(nodes);
                // The agent goes on sending meanwhile; now the node could write again, but it must not.
                network.resume();
                String next = UUID.randomUUID().toString();
                ada.startRun(other, next, "next", "hello");
                ada.awaitState(other, next, "next", "completed");
                await().atMost(TAKE_OVER)
                        .until(() -> nodes.count("select count(*) from nodes where alive_until > now()"
                                        + " and runs_executing = 0")
                                == 2);
                assertThat(log(nodes)).isEqualTo(written);
                assertThat(ada.post(cutOff, thread, "after", "it serves again").status())
                        .isEqualTo(201);
                // While the node can still report its stop.
                cutOff.close();
            }
        }
    }

    /** The entries of the run in the log. */
    private List<String> log(Nodes nodes) {
        return nodes.select("select position || ' ' || md5(payload) from events where thread_id = '" + thread
                + "' and run is not null order by position");
    }
}
