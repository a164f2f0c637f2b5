package dev.parley.attachments;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Base64;
import java.util.OptionalLong;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Blobs as objects of an S3 bucket (<a href="https://docs.aws.amazon.com/AmazonS3/latest/API/">Amazon S3 API</a>), each
 * under the prefix and its hex name. S3 shows an object only once it is complete, and checks its SHA-256. The access
 * key must be allowed to list the bucket; otherwise S3 reports a missing object as forbidden.
 */
public final class S3Blobs implements BlobStore {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration ATTEMPT = Duration.ofSeconds(10);
    private static final Duration CALL = Duration.ofSeconds(25);
    private static final Duration CHECK = Duration.ofMillis(2_500);
    private static final int ATTEMPTS = 3;
    /** The minimum speed of an upload; a slower upload is aborted. */
    private static final long MIN_BYTES_PER_SECOND = 128 * 1024;

    /** A length that no blob has, so that a blob of unknown length is stored again. */
    private static final long UNKNOWN = -1;

    private static final int MISSING = 404;
    private static final int OUT_OF_RANGE = 416;

    private final S3Settings settings;
    private final S3Client client;

    public S3Blobs(S3Settings settings) {
        this.settings = settings;
        S3ClientBuilder builder = S3Client.builder()
                .region(Region.of(settings.region()))
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(settings.accessKey(), settings.secretKey())))
                .forcePathStyle(settings.pathStyle())
                // Not every store understands these extensions of the protocol.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(service -> service.chunkedEncodingEnabled(false))
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT)
                        .socketTimeout(READ_TIMEOUT))
                .overrideConfiguration(all -> all.apiCallAttemptTimeout(ATTEMPT)
                        .apiCallTimeout(CALL)
                        .retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(ATTEMPTS)
                                .build())
                        // Parley's settings are complete; AWS profile files of the machine's user must not add to them.
                        .defaultProfileFile(ProfileFile.aggregator().build()));
        settings.endpoint().ifPresent(builder::endpointOverride);
        this.client = builder.build();
    }

    @Override
    public void put(BlobId id, StagedBlob staged) {
        if (!id.equals(staged.id())) {
            throw new IllegalArgumentException("The staged bytes are " + staged.id() + ", not " + id + ".");
        }
        requireWhole(staged);
        OptionalLong present = length(id);
        if (present.isPresent() && present.getAsLong() == staged.bytes()) {
            return;
        }
        Duration attempt = ATTEMPT.plusSeconds(staged.bytes() / MIN_BYTES_PER_SECOND);
        call(() -> client.putObject(
                request -> request.bucket(settings.bucket())
                        .key(key(id))
                        .contentType("application/octet-stream")
                        .contentLength(staged.bytes())
                        .checksumSHA256(Base64.getEncoder().encodeToString(id.bytes()))
                        .overrideConfiguration(
                                one -> one.apiCallAttemptTimeout(attempt).apiCallTimeout(attempt.multipliedBy(2))),
                RequestBody.fromFile(staged.file())));
    }

    private void requireWhole(StagedBlob staged) {
        try {
            if (!staged.isWhole()) {
                throw new IOException("the file is incomplete");
            }
        } catch (IOException unusable) {
            throw new StorageUnavailable("The staged file " + staged.file() + " cannot be used.", unusable);
        }
    }

    @Override
    public InputStream open(BlobId id, long from, long length) {
        if (from < 0 || length < 0) {
            throw new IllegalArgumentException("A range cannot have " + length + " bytes from " + from + ".");
        }
        if (from > Long.MAX_VALUE - length) {
            throw new MissingBlob(id);
        }
        if (length == 0) {
            // A range header cannot express an empty range.
            return openEmpty(id, from);
        }
        ResponseInputStream<GetObjectResponse> body = call(() -> {
            try {
                return client.getObject(request -> request.bucket(settings.bucket())
                        .key(key(id))
                        .range("bytes=" + from + "-" + (from + length - 1)));
            } catch (S3Exception refused) {
                throw isMissing(refused) || refused.statusCode() == OUT_OF_RANGE ? new MissingBlob(id) : refused;
            }
        });
        Long answered = body.response().contentLength();
        if (answered != null && answered != length) {
            body.abort();
            throw new MissingBlob(id);
        }
        return new ExactStream(body, length, body::abort);
    }

    private InputStream openEmpty(BlobId id, long from) {
        OptionalLong present = length(id);
        if (present.isEmpty() || from > present.getAsLong()) {
            throw new MissingBlob(id);
        }
        return InputStream.nullInputStream();
    }

    @Override
    public boolean has(BlobId id) {
        return length(id).isPresent();
    }

    private OptionalLong length(BlobId id) {
        return call(() -> {
            try {
                Long length = client.headObject(
                                request -> request.bucket(settings.bucket()).key(key(id)))
                        .contentLength();
                return OptionalLong.of(length == null ? UNKNOWN : length);
            } catch (S3Exception refused) {
                if (isMissing(refused)) {
                    return OptionalLong.empty();
                }
                throw refused;
            }
        });
    }

    @Override
    public void remove(BlobId id) {
        call(() -> {
            try {
                return client.deleteObject(
                        request -> request.bucket(settings.bucket()).key(key(id)));
            } catch (S3Exception refused) {
                // Some stores answer 404 where others confirm the removal.
                if (isMissing(refused)) {
                    return refused;
                }
                throw refused;
            }
        });
    }

    @Override
    public void check() {
        call(() -> client.headBucket(request -> request.bucket(settings.bucket())
                .overrideConfiguration(one -> one.apiCallTimeout(CHECK).apiCallAttemptTimeout(CHECK))));
    }

    @Override
    public void close() {
        client.close();
    }

    private String key(BlobId id) {
        return settings.prefix().isEmpty() ? id.hex() : settings.prefix() + "/" + id.hex();
    }

    private static boolean isMissing(S3Exception refused) {
        return refused.statusCode() == MISSING && !(refused instanceof NoSuchBucketException);
    }

    private <T> T call(Supplier<T> call) {
        try {
            return call.get();
        } catch (S3Exception refused) {
            throw new StorageUnavailable(
                    "The bucket " + settings.bucket() + " cannot be used: the store answers " + refused.statusCode()
                            + code(refused) + ".",
                    refused);
        } catch (SdkException failed) {
            throw new StorageUnavailable(
                    "The bucket " + settings.bucket() + " cannot be reached: " + failed.getMessage() + ".", failed);
        }
    }

    private static String code(S3Exception refused) {
        return refused.awsErrorDetails() == null || refused.awsErrorDetails().errorCode() == null
                ? ""
                : " " + refused.awsErrorDetails().errorCode();
    }
}
