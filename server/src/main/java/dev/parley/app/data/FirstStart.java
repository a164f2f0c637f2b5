package dev.parley.app.data;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.app.config.Secret;
import dev.parley.archive.ServerFiles;
import dev.parley.auth.AuthSettings;
import dev.parley.protocol.UuidV7;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The secrets and the local user that the server creates if the verification of tokens or the signing of URLs is not
 * configured. They are stored in the data folder, so that they survive a restart.
 */
public final class FirstStart {
    private static final int SECRET_BYTES = 32;
    private static final Pattern HEX_SECRET = Pattern.compile("hex:((?:[0-9a-fA-F]{2}){" + SECRET_BYTES + ",})");

    private FirstStart() {}

    /** The files that the server creates and that an export includes. */
    public static ServerFiles files(Config config) {
        return new ServerFiles(config.data(), List.of("jwt-secret", "signing-secret", "local-user"));
    }

    public static AuthSettings authSettings(Config config) {
        Config.Jwt jwt = config.access().jwt();
        List<byte[]> secrets = new ArrayList<>();
        Optional<UUID> localUser = Optional.empty();
        Secret configured = jwt.secret();
        if (jwt.configured()) {
            Optional.ofNullable(configured).map(FirstStart::bytesOf).ifPresent(secrets::add);
            Optional.ofNullable(jwt.previousSecret()).map(FirstStart::bytesOf).ifPresent(secrets::add);
        } else {
            secrets.add(read(config.data(), "jwt-secret", FirstStart::freshSecret, FirstStart::secret));
            localUser = Optional.of(
                    read(config.data(), "local-user", () -> UuidV7.next().toString(), UUID::fromString));
        }
        return new AuthSettings(
                secrets,
                Optional.ofNullable(jwt.jwksUrl()),
                jwt.audience(),
                Optional.ofNullable(jwt.issuer()),
                Set.copyOf(config.access().operators().named()),
                Optional.ofNullable(config.access().operators().claim()),
                localUser,
                config.limits().requests().displayName());
    }

    /**
     * The secrets that sign the URLs of objects, the current secret first. The secret that signs user tokens is never
     * among them.
     */
    public static List<byte[]> signingSecrets(Config config) {
        Secret configured = config.access().signing().secret();
        if (configured == null) {
            // The hex digits in the file are not decoded. Therefore an operator who copies them into a setting gets the
            // same secret, and can rotate it later.
            return List.of(read(config.data(), "signing-secret", FirstStart::freshSecret, FirstStart::textSecret));
        }
        List<byte[]> secrets = new ArrayList<>(List.of(configured.bytes()));
        Optional.ofNullable(config.access().signing().previousSecret())
                .map(Secret::bytes)
                .ifPresent(secrets::add);
        return secrets;
    }

    /** The identity of a folder, regardless of the path that leads to it. */
    public static String idOf(Path folder) {
        return readOrCreate(
                "storage folder", folder, "store-id", () -> UuidV7.next().toString());
    }

    /**
     * The bytes of a configured secret. A text that begins with {@code hex:} and continues with the content of a secret
     * file of the server stands for the decoded bytes. Any other text stands for its own bytes.
     */
    private static byte[] bytesOf(Secret secret) {
        Matcher hex = HEX_SECRET.matcher(secret.reveal());
        return hex.matches() ? HexFormat.of().parseHex(hex.group(1)) : secret.bytes();
    }

    private static byte[] textSecret(String text) {
        byte[] secret = text.getBytes(StandardCharsets.UTF_8);
        if (secret.length < SECRET_BYTES) {
            throw new IllegalArgumentException("too short");
        }
        return secret;
    }

    private static byte[] secret(String text) {
        byte[] secret = HexFormat.of().parseHex(text);
        if (secret.length < SECRET_BYTES) {
            throw new IllegalArgumentException("too short");
        }
        return secret;
    }

    private static String freshSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    private static <T> T read(Path folder, String name, Supplier<String> make, Function<String, T> parse) {
        try {
            return parse.apply(readOrCreate("data folder", folder, name, make));
        } catch (IllegalArgumentException unreadable) {
            throw new ConfigException("The file " + folder.resolve(name)
                    + " cannot be read; restore it, or remove it to have a new one made.");
        }
    }

    /**
     * The value in a file of a folder. Creates the file if it is missing; two concurrent starts agree on one value.
     *
     * @param label the folder's name in error messages
     */
    private static String readOrCreate(String label, Path folder, String name, Supplier<String> make) {
        Path file = folder.resolve(name);
        try {
            Files.createDirectories(folder);
            if (!Files.exists(file)) {
                Path temporary = Files.createTempFile(folder, name, ".new", ownerOnly(folder));
                writeDurably(temporary, make.get());
                publish(temporary, file, Files::createLink);
            }
            return Files.readString(file).strip();
        } catch (FileAlreadyExistsException blocked) {
            throw new ConfigException("The " + label + " " + folder.toAbsolutePath() + " is not a folder.");
        } catch (IOException unusable) {
            throw new ConfigException(
                    "The " + label + " " + folder.toAbsolutePath() + " cannot be used: " + reason(unusable) + ".");
        }
    }

    /** Creates a second name for a file. */
    @FunctionalInterface
    interface Linking {
        void link(Path name, Path existing) throws IOException;
    }

    /**
     * Gives a finished file its name, unless the name is taken. The check is atomic on disks that support hard links.
     */
    static void publish(Path temporary, Path file, Linking linking) throws IOException {
        try {
            linking.link(file, temporary);
            Files.delete(temporary);
        } catch (FileAlreadyExistsException another) {
            Files.delete(temporary);
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            move(temporary, file);
        }
    }

    private static void move(Path temporary, Path file) throws IOException {
        try {
            Files.move(temporary, file);
        } catch (FileAlreadyExistsException another) {
            Files.delete(temporary);
        }
    }

    /** The reason for a failure. The type of a file exception is used, because its message is only a path. */
    private static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException denied -> "it cannot be written to";
            case NoSuchFileException missing -> missing.getFile() + " does not exist";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(failure.getMessage());
        };
    }

    /** True if a server has created its own secret in the data folder before. */
    public static boolean hasHappened(Config config) {
        return Files.exists(config.data().resolve("jwt-secret"));
    }

    /** Writes and syncs a file, because a secret that a power cut leaves empty would invalidate every token. */
    private static void writeDurably(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path folder) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
