package dev.parley.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.FaultProxy;
import dev.parley.testkit.TestDatabase;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a node goes, whatever state its database or its balancer is in. */
class StoppingNodeTest {
    @Test
    void aDatabaseThatHangsDoesNotHoldUpTheStop() throws Exception {
        try (TestDatabase scratch = RunningServer.freshDatabase()) {
            DatabaseAddress real = RunningServer.storage(scratch.address());
            URI address = URI.create(real.jdbcUrl().substring("jdbc:".length()));
            try (FaultProxy proxy = FaultProxy.to(address);
                    Database database = Database.open(
                            new DatabaseAddress(
                                    real.jdbcUrl().replace(":" + address.getPort(), ":" + proxy.port()),
                                    real.user(),
                                    real.password()),
                            2)) {
                Nodes node = new Nodes(database, "test", new Common("", "", ""));
                assertThat(node.beat()).isTrue();
                proxy.pause();
                CompletableFuture<Boolean> hanging = CompletableFuture.supplyAsync(node::beat);
                try {
                    await().atMost(Talker.LIMIT).until(() -> database.connectionsInUse() == 1);
                    node.stops();
                    node.leave();
                    assertThat(node.isStopping()).isTrue();
                    assertThat(hanging).isNotDone();
                } finally {
                    proxy.resume();
                }
                await().atMost(Talker.LIMIT).until(hanging::isDone);
                assertThat(node.beat()).isFalse();
            }
        }
    }

    @Test
    void whoCannotListenIsNotThere() {
        try (dev.parley.testing.Nodes nodes = dev.parley.testing.Nodes.onFreshDatabase()) {
            // An address that is nobody's: nothing is found to be wrong with it before everything else is started.
            assertThatThrownBy(() -> nodes.start("--host", "192.0.2.1"))
                    .hasMessageStartingWith("Cannot listen on 192.0.2.1:0");
            assertThat(nodes.count("select count(*) from nodes")).isZero();
        }
    }

    @Test
    void aBalancerThatHasNotAskedYetIsStillServed() {
        try (dev.parley.testing.Nodes nodes = dev.parley.testing.Nodes.onFreshDatabase()) {
            dev.parley.testing.Nodes.Node node = nodes.start("--shutdown-drain", "5s");
            Api anybody = new Api(node.uri(), null);
            assertThat(anybody.get("/health/ready").status()).isEqualTo(200);
            long begun = System.nanoTime();
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(node::close);
            await().atMost(Talker.LIMIT)
                    .until(() -> anybody.get("/health/ready").status() == 503);
            Talker ada = Talker.somebody("Ada");
            assertThat(ada.newThread(node)).isNotEmpty();
            await().atMost(Talker.LIMIT).until(stopping::isDone);
            stopping.join();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
        }
    }
}
