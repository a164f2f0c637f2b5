package dev.parley.attachments;

import java.net.URI;
import java.util.Optional;

/**
 * The address of a bucket and its credentials.
 *
 * @param endpoint the address of the store; empty for the store of AWS
 * @param prefix the prefix of every key, without a slash at its end; may be empty
 * @param pathStyle true if the bucket is part of the path instead of the host's name
 */
public record S3Settings(
        String bucket,
        Optional<URI> endpoint,
        String region,
        String accessKey,
        String secretKey,
        String prefix,
        boolean pathStyle) {
    @Override
    public String toString() {
        return "S3Settings[" + bucket + " at " + endpoint.map(URI::toString).orElse(region) + "]";
    }
}
