package dev.parley.log;

import dev.parley.protocol.Actor;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The identity of a request under a key: a hash over the parsed body. The order of fields, white space and the notation
 * of numbers do not count. Fields about freshness, such as {@code base_seq}, are not part of the hash.
 */
public final class Fingerprint {
    private final Digest.Builder hash = new Digest.Builder();

    private Fingerprint() {}

    public static Digest of(
            String content, List<Actor> mentions, @Nullable ObjectNode metadata, @Nullable String replyTo) {
        Fingerprint print = new Fingerprint();
        print.hash.add(content).add(mentions.size());
        mentions.forEach(mention -> print.hash.add(mention.value()));
        print.hash.add(replyTo);
        print.add(metadata);
        return print.hash.finish();
    }

    private void add(@Nullable JsonNode node) {
        if (node == null || node.isNull()) {
            hash.add("null");
        } else if (node.isObject()) {
            TreeMap<String, JsonNode> members = new TreeMap<>();
            node.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            hash.add("object").add(members.size());
            members.forEach((name, value) -> {
                hash.add(name);
                add(value);
            });
        } else if (node.isArray()) {
            hash.add("array").add(node.size());
            node.forEach(this::add);
        } else if (node.isNumber()) {
            // 1, 1.0 and 1e0 are the same number. Stripping zeros never expands a large exponent into digits.
            hash.add("number").add(node.decimalValue().stripTrailingZeros().toString());
        } else if (node.isString()) {
            hash.add("string").add(node.asString());
            addHalfPairs(node.asString());
        } else {
            hash.add(node.toString());
        }
    }

    /**
     * Adds lone surrogates separately, because the encoding turns either half of a pair into the same question mark.
     */
    private void addHalfPairs(String text) {
        for (int i = 0; i < text.length(); i++) {
            int point = text.codePointAt(i);
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                hash.add(i).add(point);
            }
            i += Character.charCount(point) - 1;
        }
    }
}
