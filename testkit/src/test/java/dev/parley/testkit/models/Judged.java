package dev.parley.testkit.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** The violations that rules find in a request. Its JSON is written with single quotes, and its list is closed here. */
record Judged(String request, List<String> violations) {
    static Judged by(Function<JsonNode, List<String>> rules, String head, String... messages) {
        String request = (head + String.join(",", messages) + "]}").replace('\'', '"');
        return new Judged(request, rules.apply(Json.MAPPER.readTree(request)));
    }

    void isTaken() {
        assertThat(violations).as(request).isEmpty();
    }

    void isRefusedFor(String reason) {
        assertThat(violations)
                .as(request)
                .anySatisfy(violation -> assertThat(violation).contains(reason));
    }
}
