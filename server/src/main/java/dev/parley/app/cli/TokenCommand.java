package dev.parley.app.cli;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.app.data.FirstStart;
import dev.parley.auth.AuthSettings;
import dev.parley.auth.UserTokens;
import dev.parley.limits.Durations;
import dev.parley.protocol.UuidV7;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Mints a user token with the configured secret, or with the secret made on the first start. */
public final class TokenCommand {
    private static final String USAGE = "token --user UUID [--name NAME] [--ttl 1h] [--data FOLDER]";
    private static final Duration DEFAULT_TTL = Duration.ofHours(1);

    private @Nullable UUID user;
    private @Nullable String name;
    private Duration ttl = DEFAULT_TTL;
    private final List<String> settings = new ArrayList<>();

    private TokenCommand() {}

    public static void run(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            System.out.println(USAGE);
            return;
        }
        TokenCommand command = new TokenCommand();
        command.read(arguments);
        UUID user = command.user;
        if (user == null) {
            throw new ConfigException("The flag --user is missing: " + USAGE + ".");
        }
        Config config = Config.load(command.settings, System.getenv());
        if (!config.access().jwt().configured() && !FirstStart.hasHappened(config)) {
            throw new ConfigException("No server was ever started on the data folder "
                    + config.data().toAbsolutePath().normalize()
                    + ", so there is no secret to sign with; name its folder with --data.");
        }
        AuthSettings auth = FirstStart.authSettings(config);
        if (auth.secrets().isEmpty()) {
            throw new ConfigException("Tokens are signed elsewhere (jwks-url); set jwt-secret to mint them here.");
        }
        UserTokens tokens = new UserTokens(auth, Clock.systemUTC());
        System.out.println(tokens.mint(user, command.name, command.ttl));
    }

    private void read(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String flag = arguments.get(i);
            switch (flag) {
                case "--user" -> user = requireUser(valueAfter(arguments, i++));
                case "--name" -> name = valueAfter(arguments, i++);
                case "--ttl" -> ttl = requireTtl(valueAfter(arguments, i++));
                default -> settings.add(flag);
            }
        }
    }

    private static String valueAfter(List<String> arguments, int flag) {
        if (flag + 1 >= arguments.size()) {
            throw new ConfigException("The flag " + arguments.get(flag) + " needs a value.");
        }
        return arguments.get(flag + 1);
    }

    private static UUID requireUser(String text) {
        return UuidV7.parseCanonical(text)
                .orElseThrow(() -> new ConfigException("--user is \"" + text + "\", but a UUID is expected."));
    }

    private static Duration requireTtl(String text) {
        return Durations.parse(text)
                .filter(Duration::isPositive)
                .orElseThrow(() ->
                        new ConfigException("--ttl is \"" + text + "\", but a time such as 30m or 1h is expected."));
    }
}
