package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.postgres.PostgresUnavailable;
import dev.parley.storage.DatabaseUnavailable;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/** The command line: {@code serve} and {@code token}. */
public final class Main {
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
            switch (command) {
                case "serve" -> serve(arguments);
                case "token" -> TokenCommand.run(arguments);
                default -> throw new ConfigException("There is no command " + command + "; there are serve and token.");
            }
            return 0;
        } catch (ConfigException wrong) {
            return refuse(wrong, 2);
        } catch (PostgresUnavailable | DatabaseUnavailable | CannotListen unavailable) {
            LoggerFactory.getLogger(Main.class).debug("The server could not start", unavailable);
            return refuse(unavailable, 1);
        }
    }

    private static int refuse(RuntimeException why, int status) {
        System.err.println("parley: " + why.getMessage());
        return status;
    }

    private static void serve(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            System.out.println("Settings of serve; each is also an environment variable PARLEY_… and a YAML key:");
            Config.help().forEach(System.out::println);
            return;
        }
        Config config = Config.load(arguments, System.getenv());
        Logging.setLevel(config.logLevel());
        config.warnings().forEach(warning -> System.err.println("parley: " + warning));
        config.describe().forEach(line -> System.out.println("  " + line));
        Server server = Server.start(config);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("parley-stop").unstarted(() -> {
                    server.close();
                    stopped.countDown();
                }));
        System.out.println("Parley is listening on " + server.url());
        awaitStop(stopped);
    }

    private static void awaitStop(CountDownLatch stopped) {
        try {
            stopped.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
