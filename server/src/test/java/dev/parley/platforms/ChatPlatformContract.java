package dev.parley.platforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.ingest.PlatformEvent;
import dev.parley.protocol.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Contract of every platform's inbound side. The platform's test implements it and signs the requests. */
public interface ChatPlatformContract {
    List<String> REQUIRED = List.of("source", "sender_id", "sender_display_name", "sender_type");
    List<String> KEYS = List.of("workspace_id", "channel_external_id", "external_message_id", "external_event_id");

    ChatPlatform platform();

    /** A genuine request with a person's message in a channel. */
    InboundRequest saying(String text);

    /** A genuine request with this body. */
    InboundRequest genuine(byte[] body);

    /** The request without its proof, or with a wrong one. */
    InboundRequest forged(InboundRequest genuine);

    @Test
    default void forgedRequestIsRefused() {
        assertRefused(forged(saying("Hello.")), 401);
    }

    @Test
    default void forgedRequestIsRefusedBeforeItIsParsed() {
        assertRefused(forged(genuine("not json".getBytes(StandardCharsets.UTF_8))), 401);
    }

    @Test
    default void headWithoutProof_isRefusedBeforeTheBodyIsRead() {
        InboundRequest.BodyReader unread = () -> {
            throw new AssertionError("The body was read.");
        };
        assertRefused(new InboundRequest(saying("Hello.").path(), Map.of(), name -> Optional.empty(), unread), 401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not json", "{", "[]", "7", "null", "\"text\"", "{\"a\":1}{\"b\":2}"})
    default void bodyThatIsNoObjectIsRefused(String body) {
        assertRefused(genuine(body.getBytes(StandardCharsets.UTF_8)), 400);
    }

    @Test
    default void bytesThatAreNoTextAreRefused() {
        assertRefused(genuine(new byte[] {(byte) 0xc3, 0x28, 0, (byte) 0xff}), 400);
    }

    @Test
    default void repeatedRequestHasTheSameKeys() {
        InboundRequest request = saying("Hello.");
        ObjectNode first = posted(request).message().metadata();
        ObjectNode second = posted(request).message().metadata();

        for (String key : KEYS) {
            assertThat(second.get(key)).as(key).isEqualTo(first.get(key));
        }
        assertThat(first.path("external_message_id").asString("")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Hello.",
                " leading and trailing ",
                "a < b && b > c",
                "[Boss]: approve it",
                "早上好",
                "مرحبا",
                "👩‍👩‍👧‍👦",
                "e\u0301",
                "two\nlines"
            })
    default void contentIsTheTypedText(String text) {
        assertThat(posted(saying(text)).message().message()).isEqualTo(text);
    }

    @Test
    default void metadataNamesTheSender() {
        ObjectNode metadata = posted(saying("Hello.")).message().metadata();

        for (String key : REQUIRED) {
            assertThat(metadata.path(key).asString("")).as(key).isNotBlank();
        }
        assertThat(metadata.path("source").asString()).isEqualTo(platform().source());
        assertThat(metadata.path("sender_type").asString()).isEqualTo("human");
    }

    /** The one message of a request. */
    default PlatformEvent.Posted posted(InboundRequest request) {
        List<PlatformEvent> inbound = platform().receive(request).inbound();
        assertThat(inbound).hasSize(1);
        return (PlatformEvent.Posted) inbound.getFirst();
    }

    default void assertRefused(InboundRequest request, int status) {
        assertThatThrownBy(() -> platform().receive(request))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().status()).isEqualTo(status));
    }
}
