package dev.parley.api.chat;

import static dev.parley.api.chat.ProblemScene.HELLO;
import static dev.parley.api.chat.ProblemScene.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawAnswer;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Requests to a server whose database does not answer, whose lane is full, or that stops. */
record ProblemsUnderLoad(ProblemScene scene, ProxiedDatabase database) {
    RawAnswer postWhileTheDatabaseIsSilent() throws IOException {
        database.network().pause();
        try {
            return scene.post(HELLO);
        } finally {
            database.network().resume();
        }
    }

    /** The lane carries one command, a second fills its queue, and the third is refused. */
    RawAnswer postToAFullLane() throws Exception {
        try (RunningServer patient = database.startServer("15s");
                ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            ProblemScene loaded = scene.on(patient);
            database.network().pause();
            try {
                Future<RawAnswer> carried = others.submit(() -> loaded.post(HELLO));
                await().atMost(LIMIT).until(() -> loaded.inFlight() == 2 && loaded.waiting() == 0);
                Future<RawAnswer> queued = others.submit(() -> loaded.post(HELLO));
                await().atMost(LIMIT).until(() -> loaded.waiting() == 1);
                RawAnswer refused = loaded.post(HELLO);
                database.network().resume();
                assertThat(carried.get(LIMIT.toSeconds(), TimeUnit.SECONDS).status())
                        .isEqualTo(201);
                assertThat(queued.get(LIMIT.toSeconds(), TimeUnit.SECONDS).status())
                        .isEqualTo(201);
                return refused;
            } finally {
                database.network().resume();
            }
        }
    }

    /** A request under way delays the end of the server; later requests are refused. */
    RawAnswer postToAStoppingServer() throws Exception {
        try (RunningServer stopping = database.startServer("15s");
                ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            ProblemScene closing = scene.on(stopping);
            database.network().pause();
            try {
                Future<RawAnswer> underWay = others.submit(() -> closing.post(HELLO));
                await().atMost(LIMIT).until(() -> closing.inFlight() == 2);
                Future<?> stop = others.submit(stopping.server()::close);
                await().atMost(LIMIT).until(() -> closing.get("/health").status() == 503);
                RawAnswer refused = closing.post(HELLO);
                database.network().resume();
                assertThat(underWay.get(LIMIT.toSeconds(), TimeUnit.SECONDS).status())
                        .isEqualTo(201);
                stop.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                return refused;
            } finally {
                database.network().resume();
            }
        }
    }
}
