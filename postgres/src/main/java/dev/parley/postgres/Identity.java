package dev.parley.postgres;

import com.sun.security.auth.module.UnixSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The user that PostgreSQL runs as. An ordinary user runs PostgreSQL directly. PostgreSQL refuses to run as root.
 * Therefore root first tries a user namespace, in which the files still belong to root. If that fails, root tries
 * another user, who becomes the owner of the cluster. An identity is the prefix of the command line and the owner that
 * the cluster must have.
 */
record Identity(List<String> prefix, long owner) {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final long ROOT = 0;

    /**
     * Succeeds if the user is not root, has a name (initdb needs one), may run the program and may enter the data
     * folder.
     */
    private static final String PROBE = "[ \"$(id -u)\" != 0 ] && id -un >/dev/null 2>&1 && [ -x \"$0\" ] && cd \"$1\"";

    static Identity choose(Binaries binaries, DataFolder folder) {
        long self = self();
        boolean named = !"?".equals(System.getProperty("user.name"));
        if (self != ROOT && named) {
            return new Identity(List.of(), self);
        }
        List<Identity> candidates = new ArrayList<>(namespaces(self));
        if (self == ROOT) {
            candidates.addAll(otherUsers());
        }
        return candidates.stream()
                .filter(candidate -> candidate.works(binaries, folder))
                .findFirst()
                .orElseThrow(() -> new PostgresUnavailable(
                        self == ROOT
                                ? "PostgreSQL refuses to run as root, and neither a user namespace nor the users postgres and nobody can use %s and %s; start Parley as an ordinary user or set PARLEY_DATABASE_URL to an external PostgreSQL."
                                        .formatted(folder.path(), binaries.folder())
                                : "PostgreSQL needs a user with a name, and the user id %d has none; add it to /etc/passwd or set PARLEY_DATABASE_URL to an external PostgreSQL."
                                        .formatted(self)));
    }

    static long self() {
        return new UnixSystem().getUid();
    }

    /**
     * The identity in a user namespace; empty without the program unshare. Inside of the namespace the user of this
     * process appears as the user {@code nobody}. Outside, the user and the owner of the files stay the same.
     */
    static List<Identity> namespaces(long self) {
        return ShortCommand.find("unshare")
                .map(unshare -> new Identity(List.of(unshare.toString(), "-U"), self))
                .stream()
                .toList();
    }

    static List<Identity> otherUsers() {
        List<Identity> identities = new ArrayList<>();
        for (String user : List.of("postgres", "nobody")) {
            Optional<String> uid = id("-u", user);
            Optional<String> gid = id("-g", user);
            if (uid.isEmpty() || gid.isEmpty()) {
                continue;
            }
            long owner = Long.parseLong(uid.get());
            ShortCommand.find("setpriv")
                    .map(setpriv -> List.of(
                            setpriv.toString(), "--reuid", uid.get(), "--regid", gid.get(), "--clear-groups", "--"))
                    .ifPresent(prefix -> identities.add(new Identity(prefix, owner)));
            ShortCommand.find("runuser")
                    .map(runuser -> List.of(runuser.toString(), "-u", user, "--"))
                    .ifPresent(prefix -> identities.add(new Identity(prefix, owner)));
        }
        return identities;
    }

    List<String> command(List<String> command) {
        List<String> all = new ArrayList<>(prefix);
        all.addAll(command);
        return all;
    }

    boolean works(Binaries binaries, DataFolder folder) {
        Path initdb = binaries.initdb();
        return ShortCommand.run(
                        command(List.of(
                                "/bin/sh",
                                "-c",
                                PROBE,
                                initdb.toString(),
                                folder.path().toString())),
                        LIMIT)
                .succeeded();
    }

    private static Optional<String> id(String flag, String user) {
        ShortCommand.Result result = ShortCommand.run(List.of("id", flag, user), LIMIT);
        return result.succeeded() ? Optional.of(result.output().strip()) : Optional.empty();
    }
}
