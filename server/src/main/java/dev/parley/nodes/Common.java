package dev.parley.nodes;

import dev.parley.protocol.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What all nodes of one database must have in common, as fingerprints: what is signed by one is verified by another, and
 * what is uploaded to one is downloaded from another.
 *
 * @param jwtKeys of what users' tokens are verified with, separated by commas, the one that signs first
 * @param signingKeys the same for the URLs of objects
 * @param storage of the place where objects are kept
 */
public record Common(String jwtKeys, String signingKeys, String storage) {
    /** The settings by which two nodes do not fit together; a node that says nothing of them fits. */
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

    /** Each takes what the other signs: while a secret is being replaced, that may be by its former one. */
    private static boolean understandEachOther(String mine, @Nullable String theirs) {
        if (theirs == null) {
            return true;
        }
        List<String> here = Split.at(',', mine);
        List<String> there = Split.at(',', theirs);
        return here.contains(there.getFirst()) && there.contains(here.getFirst());
    }
}
