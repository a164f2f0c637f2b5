package dev.parley.attachments;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/** A real S3 server in this JVM, on a free port, with one bucket in a folder; it checks V4 signatures. */
final class S3Server implements AutoCloseable {
    static final String BUCKET = "objects";
    private static final String ACCESS_KEY = "AKPARLEYTESTS";
    private static final String SECRET_KEY = "a secret that only these tests know";

    private final Path folder;
    private final S3Proxy proxy;

    private S3Server(Path folder, S3Proxy proxy) {
        this.folder = folder;
        this.proxy = proxy;
    }

    static S3Server start(Path folder) throws Exception {
        FilesystemNio2BlobStore behind = new FilesystemNio2BlobStore(folder.toString());
        behind.createContainer(BUCKET);
        S3Proxy proxy = S3Proxy.builder()
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
                .blobStore(behind)
                .stopTimeout(0)
                .build();
        proxy.start();
        return new S3Server(folder, proxy);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + proxy.getPort());
    }

    S3Settings settings() {
        return settings(uri(), BUCKET, SECRET_KEY, "");
    }

    S3Settings settings(URI endpoint, String bucket, String secretKey, String prefix) {
        return new S3Settings(bucket, Optional.of(endpoint), "us-east-1", ACCESS_KEY, secretKey, prefix, true);
    }

    static String secretKey() {
        return SECRET_KEY;
    }

    /** The file of a key. */
    Path file(String key) {
        return folder.resolve(BUCKET).resolve(key);
    }

    boolean has(String key) {
        return Files.exists(file(key));
    }

    @Override
    public void close() throws Exception {
        proxy.stop();
    }
}
