package dev.parley.app;

import dev.parley.app.cli.ExportCommand;
import dev.parley.app.cli.ImportCommand;
import dev.parley.app.cli.Logging;
import dev.parley.app.cli.Rehearsal;
import dev.parley.app.cli.RehearseCommand;
import dev.parley.app.cli.TokenCommand;
import dev.parley.app.cli.VerifyCommand;
import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.archive.ArchiveRefused;
import dev.parley.attachments.StorageUnavailable;
import dev.parley.postgres.PostgresUnavailable;
import dev.parley.storage.DatabaseUnavailable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.LoggerFactory;

/** The command line: {@code serve}, {@code token}, {@code export}, {@code import}, {@code verify}, {@code rehearse}. */
public final class Main {
    /** The time that a stop waits for a start in progress. */
    private static final Duration START_LIMIT = Duration.ofSeconds(20);

    private Main() {}

    public static void main(String[] args) {
        List<String> arguments = List.of(args);
        String command = arguments.isEmpty() ? "serve" : arguments.getFirst();
        List<String> rest = arguments.isEmpty() ? List.of() : arguments.subList(1, arguments.size());
        int status = run(command, rest);
        if (status != 0) {
            System.exit(status);
        }
    }

    private static int run(String command, List<String> arguments) {
        try {
            return switch (command) {
                case "serve" -> {
                    serve(arguments, Clock.systemUTC());
                    yield 0;
                }
                case "token" -> {
                    TokenCommand.run(arguments);
                    yield 0;
                }
                case "export" -> ExportCommand.run(arguments, Server.version());
                case "import" -> ImportCommand.run(arguments);
                case "verify" -> VerifyCommand.run(arguments);
                case "rehearse" -> RehearseCommand.run(arguments, Main::stage);
                default ->
                    throw new ConfigException("There is no command " + command
                            + "; there are serve, token, export, import, verify and rehearse.");
            };
        } catch (ConfigException wrong) {
            return refuse(wrong, 2);
        } catch (PostgresUnavailable
                | DatabaseUnavailable
                | CannotListen
                | ArchiveRefused
                | StorageUnavailable unavailable) {
            LoggerFactory.getLogger(Main.class).debug("The server could not start", unavailable);
            return refuse(unavailable, 1);
        }
    }

    private static Rehearsal.Stage stage(Config config) {
        Server server = Server.start(config);
        return new Rehearsal.Stage(server.url(), server.tokens(), server::close);
    }

    private static int refuse(RuntimeException why, int status) {
        System.err.println("parley: " + why.getMessage());
        return status;
    }

    /** Serves until the process is told to stop. The clock is a parameter for tests, which move it. */
    public static void serve(List<String> arguments, Clock clock) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            System.out.println("Settings of serve; each is also an environment variable PARLEY_… and a YAML key:");
            Config.help().forEach(System.out::println);
            return;
        }
        Config config = Config.load(arguments, System.getenv());
        Logging.setLevel(config.node().logLevel());
        config.warnings().forEach(warning -> System.err.println("parley: " + warning));
        config.describe().forEach(line -> System.out.println("  " + line));
        CompletableFuture<Server> started = new CompletableFuture<>();
        CountDownLatch stopped = new CountDownLatch(1);
        // Registered before the start, because a stop in the middle of a start must not leave PostgreSQL running.
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("parley-stop").unstarted(() -> {
                    stop(started);
                    stopped.countDown();
                }));
        try {
            started.complete(Server.start(config, clock));
        } catch (RuntimeException | Error failed) {
            started.completeExceptionally(failed);
            throw failed;
        }
        System.out.println("Parley is listening on " + started.join().url());
        awaitStop(stopped);
    }

    /** Stops the server after its start has finished. A server that could not start has stopped itself. */
    private static void stop(CompletableFuture<Server> started) {
        try {
            Server server = started.get(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            System.err.println("Parley is stopping");
            server.close();
            System.err.println("Parley has stopped");
        } catch (ExecutionException | TimeoutException nothingToStop) {
            LoggerFactory.getLogger(Main.class).debug("Stopped before the start was over", nothingToStop);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitStop(CountDownLatch stopped) {
        try {
            stopped.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
