package dev.parley.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.PostedMessage;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class JsonTest {
    @Test
    void sixtyFourLevelsAreTakenAndOneMoreIsNot() {
        assertThat(Json.MAPPER.readTree("[".repeat(64) + "]".repeat(64)).isArray())
                .isTrue();
        assertThatThrownBy(() -> Json.MAPPER.readTree("[".repeat(65) + "]".repeat(65)))
                .isInstanceOf(JacksonException.class);
    }

    @Test
    void duplicateKeysTrailingTextAndCoercionsAreRefused() {
        assertThatThrownBy(() -> Json.MAPPER.readTree("{\"a\":1,\"a\":2}")).isInstanceOf(JacksonException.class);
        assertThatThrownBy(() -> Json.MAPPER.readTree("{} {}")).isInstanceOf(JacksonException.class);
        assertThatThrownBy(() -> Json.MAPPER.readValue("{\"content\": 5}", NewMessage.class))
                .isInstanceOf(JacksonException.class);
        assertThatThrownBy(() -> Json.MAPPER.readTree("[NaN]")).isInstanceOf(JacksonException.class);
    }

    @Test
    void unknownMembersAreIgnoredAndNullMeansAbsent() {
        NewMessage read =
                Json.MAPPER.readValue("{\"content\":\"hi\",\"metadata\":null,\"later\":[1]}", NewMessage.class);
        assertThat(read).isEqualTo(NewMessage.text("hi"));
    }

    @Test
    void aPostedMessageIsOneFlatObjectInSnakeCaseWithItsNulls() {
        UUID user = new UUID(1, 2);
        PostedMessage posted = new PostedMessage(
                new Message(
                        "m",
                        Actor.user(user),
                        "user",
                        "你好",
                        null,
                        List.of(),
                        Instant.EPOCH,
                        null,
                        null,
                        7,
                        null,
                        null,
                        6,
                        null,
                        null,
                        null,
                        null,
                        List.of(),
                        null,
                        null),
                true,
                "m",
                false,
                null);
        String json = Json.MAPPER.writeValueAsString(posted);
        JsonNode tree = Json.MAPPER.readTree(json);
        assertThat(tree.get("thread_seq").asLong()).isEqualTo(7);
        assertThat(tree.get("server_seq_at_submit").asLong()).isEqualTo(6);
        assertThat(tree.get("sender_id").asString()).isEqualTo("user:" + user);
        assertThat(tree.get("created_at").asString()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(tree.get("stale").isNull()).isTrue();
        assertThat(tree.get("client_message_id").isNull()).isTrue();
        assertThat(Json.MAPPER.readValue(json, PostedMessage.class)).isEqualTo(posted);
    }

    @Test
    void numbersOfATreeAreWrittenAsTheyWereGiven() {
        String given = "[1.0,1e3,1E3,1e+3,10e2,-0.0,1.50,1e-7,0.0000001,10000000000000000000000,"
                + "0.1234567890123456789012345678901,-1e400,{\"n\":[1e2]}]";
        JsonNode tree = Json.MAPPER.readTree(given);
        assertThat(Json.MAPPER.writeValueAsString(tree)).isEqualTo(given);
        assertThat(new String(Json.MAPPER.writeValueAsBytes(tree), StandardCharsets.UTF_8))
                .isEqualTo(given);
        assertThat(tree.toString()).isEqualTo(given);
        assertThat(Json.MAPPER.readValue(given, JsonNode.class).toString()).isEqualTo(given);
        assertThat(Json.MAPPER.readValue(given, ArrayNode.class).toString()).isEqualTo(given);
        assertThat(Json.MAPPER.readValue("{\"n\":1e3}", ObjectNode.class)).hasToString("{\"n\":1e3}");
        JsonNode copied = Json.MAPPER.valueToTree(tree.deepCopy());
        assertThat(copied.toString()).isEqualTo(given);
        assertThat(tree.get(1).decimalValue()).isEqualByComparingTo("1000").isEqualTo(new BigDecimal("1E+3"));
        assertThat(tree.get(1)).isEqualTo(tree.get(2));
    }

    @Test
    void aNumberBeyondAllMeasureIsNoJson() {
        for (String number : List.of("1e99999999999", "1e" + "9".repeat(2_000), "9".repeat(2_000))) {
            assertThatThrownBy(() -> Json.MAPPER.readTree(number)).isInstanceOf(JacksonException.class);
            assertThatThrownBy(() -> Json.MAPPER.readValue(
                            "{\"content\":\"hi\",\"metadata\":{\"n\":" + number + "}}", NewMessage.class))
                    .isInstanceOf(JacksonException.class);
        }
    }

    @Test
    void actorsAreReadStrictly() {
        assertThat(Actor.parse("user:" + new UUID(0, 1))).isPresent();
        assertThat(Actor.parse("user:1-1-1-1-1")).isEmpty();
        assertThat(Actor.parse("system:other")).isEmpty();
        assertThat(Actor.parse(":x")).isEmpty();
        assertThat(Actor.parse("slack:")).isEmpty();
        assertThat(Actor.parse("slack:U1").orElseThrow().kind()).isEqualTo(Actor.Kind.EXTERNAL);
    }
}
