package dev.parley.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.parley.protocol.ProblemException;
import dev.parley.testing.CapturedLog;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DatabaseTest {
    @Test
    void closingLetsWorkInProgressFinishAndAcceptsNoMore() throws Exception {
        try (TestDatabase scratch = RunningServer.freshDatabase();
                CapturedLog log = new CapturedLog("com.zaxxer.hikari");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Database database = Database.open(RunningServer.storage(scratch.address()), 2);
            CountDownLatch begun = new CountDownLatch(1);
            Future<Integer> work = threads.submit(() -> database.transact(handle -> {
                begun.countDown();
                return handle.createQuery("select 1 from pg_sleep(1)")
                        .mapTo(Integer.class)
                        .one();
            }));
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            database.close();
            assertThat(work.get(20, TimeUnit.SECONDS)).isEqualTo(1);
            assertThatThrownBy(() -> database.read(handle -> 1)).isInstanceOf(ProblemException.class);
            assertThat(log.events()).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
        }
    }
}
