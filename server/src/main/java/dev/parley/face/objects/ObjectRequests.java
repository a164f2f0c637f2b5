package dev.parley.face.objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.ObjectListing;
import dev.parley.attachments.ObjectSearch;
import dev.parley.attachments.StoredObjects;
import dev.parley.basics.Text;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses the bodies of the storage client's requests. Checks their shape only, and names every wrong field. */
final class ObjectRequests {
    static final int MAX_PATHS = 1_000;
    private static final int MAX_LISTED = 1_000;
    private static final int DEFAULT_LISTED = 100;

    private ObjectRequests() {}

    record Sign(@Nullable Long expiresIn) {}

    record SignMany(@Nullable Long expiresIn, @Nullable List<@Nullable String> paths) {}

    record Remove(@Nullable List<@Nullable String> prefixes) {}

    record Transfer(
            @Nullable String bucketId,
            @Nullable String sourceKey,
            @Nullable String destinationKey,
            @Nullable String destinationBucket) {}

    record SortBy(@Nullable String column, @Nullable String order) {}

    record Listing(
            @Nullable String prefix,
            @Nullable Integer limit,
            @Nullable Integer offset,
            @Nullable SortBy sortBy,
            @Nullable String search) {}

    record Search(
            @Nullable String prefix,
            @Nullable Integer limit,
            @Nullable String cursor,
            @JsonProperty("with_delimiter") @Nullable Boolean withDelimiter,
            @Nullable SortBy sortBy) {}

    /** The source and destination of a transfer within the only bucket. */
    record TransferPaths(String bucket, String from, String to) {}

    static TransferPaths transfer(Transfer wanted) {
        String bucket = require("bucketId", wanted.bucketId());
        if (wanted.destinationBucket() != null && !wanted.destinationBucket().equals(bucket)) {
            throw StoredObjects.noSuchBucket();
        }
        return new TransferPaths(
                bucket, require("sourceKey", wanted.sourceKey()), require("destinationKey", wanted.destinationKey()));
    }

    static List<String> paths(String field, @Nullable List<@Nullable String> given) {
        if (given == null || given.isEmpty() || given.size() > MAX_PATHS) {
            throw ProblemException.invalidField(field, "must be a list of 1 to " + MAX_PATHS + " paths");
        }
        return given.stream().map(path -> require(field, path)).toList();
    }

    static ObjectListing listing(Listing wanted) {
        String folder =
                Alphabet.SLASHES.strippedFromEnd(Alphabet.SLASHES.strippedFrom(name("prefix", wanted.prefix())));
        int offset = wanted.offset() == null ? 0 : wanted.offset();
        if (offset < 0) {
            throw ProblemException.invalidField("offset", "must be a whole number, 0 or more");
        }
        return new ObjectListing(
                folder,
                name("search", wanted.search()),
                order(wanted.sortBy()),
                descending(wanted.sortBy()),
                offset,
                limit(wanted.limit(), DEFAULT_LISTED));
    }

    static ObjectSearch search(Search wanted) {
        return new ObjectSearch(
                name("prefix", wanted.prefix()),
                Boolean.TRUE.equals(wanted.withDelimiter()),
                order(wanted.sortBy()),
                descending(wanted.sortBy()),
                wanted.cursor(),
                limit(wanted.limit(), MAX_LISTED));
    }

    /** The offset of a list, from the query string. */
    static int offset(Optional<String> wanted) {
        String text = wanted.orElse("0");
        if (!Alphabet.DIGITS.spells(text, 1, 9)) {
            throw ProblemException.invalidField("offset", "must be a whole number, 0 to 999999999");
        }
        return Integer.parseInt(text);
    }

    private static int limit(@Nullable Integer wanted, int usual) {
        int limit = wanted == null ? usual : wanted;
        if (limit < 1) {
            throw ProblemException.invalidField("limit", "must be a whole number, at least 1");
        }
        return Math.min(limit, MAX_LISTED);
    }

    private static ObjectListing.Order order(@Nullable SortBy sortBy) {
        String column = sortBy == null || sortBy.column() == null ? "name" : sortBy.column();
        return switch (column) {
            case "name" -> ObjectListing.Order.NAME;
            case "created_at" -> ObjectListing.Order.CREATED_AT;
            // The time of the last access is not recorded; the time of the last change stands in for it.
            case "updated_at", "last_accessed_at" -> ObjectListing.Order.UPDATED_AT;
            default -> throw ProblemException.invalidField("sortBy.column", "must be name, created_at or updated_at");
        };
    }

    private static boolean descending(@Nullable SortBy sortBy) {
        String order = sortBy == null || sortBy.order() == null ? "asc" : sortBy.order();
        return switch (order.toLowerCase(Locale.ROOT)) {
            case "asc" -> false;
            case "desc" -> true;
            default -> throw ProblemException.invalidField("sortBy.order", "must be asc or desc");
        };
    }

    private static String require(String field, @Nullable String given) {
        if (given == null) {
            throw ProblemException.invalidField(field, "is required");
        }
        return text(field, given);
    }

    /** A text that is a path or the start of a path, and no longer than a path may be. */
    private static String name(String field, @Nullable String given) {
        if (given != null && !ObjectKey.fits(given)) {
            throw ProblemException.invalidField(field, "is longer than the limit of " + ObjectKey.MAX_PATH + " bytes");
        }
        return text(field, given);
    }

    private static String text(String field, @Nullable String given) {
        String text = given == null ? "" : given;
        Text.requireStorable(field, text);
        return text;
    }
}
