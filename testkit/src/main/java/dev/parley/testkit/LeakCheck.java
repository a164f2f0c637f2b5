package dev.parley.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import tools.jackson.databind.JsonNode;

/**
 * Remembers the existing threads and child processes, and later asserts that no other thread or child process exists.
 * Platform daemon threads (the JVM's own, carriers, idle pools of libraries) do not count; virtual threads do.
 */
final class LeakCheck {
    private final Predicate<String> threadNames;
    private final Map<String, String> before;

    private LeakCheck(Predicate<String> threadNames) {
        this.threadNames = threadNames;
        this.before = living();
    }

    /** Watches all threads and child processes, for tests that have the JVM to themselves. */
    static LeakCheck begin() {
        return new LeakCheck(name -> true);
    }

    /** Watches threads with certain names and all child processes, for tests that run beside other tests. */
    static LeakCheck begin(Predicate<String> threadNames) {
        return new LeakCheck(threadNames);
    }

    /** Fails if a new thread or process still exists at the end of the limit. */
    void assertNothingLeft(Duration limit) {
        try {
            // A polling thread of Awaitility would count as a leak.
            Awaitility.await()
                    .pollInSameThread()
                    .atMost(limit)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> left().isEmpty());
        } catch (ConditionTimeoutException e) {
            Map<String, String> left = left();
            if (!left.isEmpty()) {
                throw new AssertionError("Left behind after " + limit + ":\n" + String.join("\n", left.values()));
            }
        }
    }

    private Map<String, String> left() {
        Map<String, String> now = living();
        now.keySet().removeAll(before.keySet());
        return now;
    }

    /** Descriptions of the living threads and processes, by a key that this JVM never reuses. */
    private Map<String, String> living() {
        Map<String, String> found = new TreeMap<>();
        ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .forEach(child -> found.put(
                        "process " + child.pid() + " " + child.info().startInstant(),
                        "process " + child.pid() + " "
                                + child.info().commandLine().orElse("")));
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (!thread.isDaemon() && threadNames.test(thread.getName())) {
                found.put("thread " + thread.threadId(), thread + " at " + (stack.length == 0 ? "?" : stack[0]));
            }
        });
        addVirtualThreads(found);
        return found;
    }

    /** Adds virtual threads from a thread dump, because no other interface lists virtual threads. */
    private void addVirtualThreads(Map<String, String> found) {
        for (JsonNode container : dump().at("/threadDump/threadContainers")) {
            for (JsonNode thread : container.path("threads")) {
                String name = thread.path("name").asString("");
                String id = thread.path("tid").asString("");
                boolean self = id.equals(Long.toString(Thread.currentThread().threadId()));
                if (thread.path("virtual").asBoolean(false) && !self && threadNames.test(name)) {
                    found.put("thread " + id, "virtual thread " + id + " " + name + " at " + thread.path("stack"));
                }
            }
        }
    }

    private static JsonNode dump() {
        try {
            Path folder = Files.createTempDirectory("threads");
            Path file = folder.resolve("dump.json");
            try {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .dumpThreads(file.toString(), ThreadDumpFormat.JSON);
                return Json.MAPPER.readTree(Files.readAllBytes(file));
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
