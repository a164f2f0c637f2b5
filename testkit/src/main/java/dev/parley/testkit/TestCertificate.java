package dev.parley.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A certificate for 127.0.0.1 that only its own test trusts, made by the JDK's keytool, as PEM files. */
public record TestCertificate(Path chain, Path key) {
    private static final String PASSWORD = "only-for-this-test";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Makes a certificate in a folder. */
    public static TestCertificate in(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        Path store = folder.resolve("store.p12");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD);
        try (ChildProcess keytool = ChildProcess.start(folder, Map.of(), command)) {
            if (keytool.awaitExit(LIMIT) != 0) {
                throw new IOException("keytool refused: " + String.join("\n", keytool.output()));
            }
        }
        KeyStore made = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(store)) {
            made.load(content, PASSWORD.toCharArray());
        }
        return new TestCertificate(
                pem(
                        folder.resolve("chain.pem"),
                        "CERTIFICATE",
                        made.getCertificate("server").getEncoded()),
                pem(
                        folder.resolve("key.pem"),
                        "PRIVATE KEY",
                        made.getKey("server", PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content);
        return Files.writeString(
                file, "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n", US_ASCII);
    }
}
