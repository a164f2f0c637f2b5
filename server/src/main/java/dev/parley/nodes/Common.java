package dev.parley.nodes;

import dev.parley.protocol.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprints that all nodes of one database must share, because each node verifies the tokens and downloads the
 * objects of the other nodes.
 *
 * @param jwtKeys the fingerprints of the keys that verify user tokens, separated by commas, the signing key first
 * @param signingKeys the fingerprints of the keys that verify the URLs of objects, in the same form
 * @param storage the fingerprint of the object storage
 */
public record Common(String jwtKeys, String signingKeys, String storage) {
    /** The settings in which two nodes differ; a node that reports no settings does not differ. */
    List<String> differencesFrom(
            @Nullable String otherJwt, @Nullable String otherSigning, @Nullable String otherStorage) {
        List<String> differences = new ArrayList<>();
        if (!understandEachOther(jwtKeys, otherJwt)) {
            differences.add("jwt-secret");
        }
        if (!understandEachOther(signingKeys, otherSigning)) {
            differences.add("signing-secret");
        }
        if (!Objects.requireNonNullElse(otherStorage, storage).equals(storage)) {
            differences.add("storage");
        }
        return differences;
    }

    /** True if each node accepts the other's signatures. During a rotation, a node also accepts the previous secret. */
    private static boolean understandEachOther(String mine, @Nullable String theirs) {
        if (theirs == null) {
            return true;
        }
        List<String> ownKeys = Split.at(',', mine);
        List<String> otherKeys = Split.at(',', theirs);
        return ownKeys.contains(otherKeys.getFirst()) && otherKeys.contains(ownKeys.getFirst());
    }
}
