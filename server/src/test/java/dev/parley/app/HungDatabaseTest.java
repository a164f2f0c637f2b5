package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.app.config.Config;
import dev.parley.storage.DatabaseAddress;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.FaultProxy;
import dev.parley.testkit.TestDatabase;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that neither answers nor closes its connections. */
class HungDatabaseTest {
    @TempDir
    private Path data;

    @Test
    void theServerIsAliveAndNotReady() throws Exception {
        try (TestDatabase scratch = RunningServer.freshDatabase()) {
            DatabaseAddress real = RunningServer.storage(scratch.address());
            URI address = URI.create(real.jdbcUrl().substring("jdbc:".length()));
            try (FaultProxy proxy = FaultProxy.to(address);
                    Server server = Server.start(Config.load(
                            List.of(
                                    "--port", "0",
                                    "--jwt-secret", "a secret that only this test knows, of some length",
                                    "--data", data.toString(),
                                    "--database-url",
                                            real.jdbcUrl().replace(":" + address.getPort(), ":" + proxy.port()),
                                    "--database-user", real.user(),
                                    "--database-password", real.password()),
                            Map.of()))) {
                Api anybody = new Api(URI.create(server.url()), null);
                assertThat(anybody.get("/health/ready").status()).isEqualTo(200);
                proxy.pause();
                try {
                    Api.Reply ready = anybody.get("/health/ready");
                    assertThat(ready.problem()).contains("database-unavailable");
                    assertThat(ready.json().at("/checks/database").asString()).isEqualTo("does not answer");
                    assertThat(anybody.get("/health").status()).isEqualTo(200);
                } finally {
                    proxy.resume();
                }
                assertThat(anybody.get("/health/ready").status()).isEqualTo(200);
            }
        }
    }
}
