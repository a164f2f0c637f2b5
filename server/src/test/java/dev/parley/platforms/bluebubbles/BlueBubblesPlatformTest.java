package dev.parley.platforms.bluebubbles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.ingest.PlatformEvent;
import dev.parley.platforms.Backfills;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.ChatPlatformContract;
import dev.parley.platforms.InboundRequest;
import dev.parley.protocol.Json;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.chat.BlueBubblesMessages;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Requests to the secret path are read, others are refused. */
class BlueBubblesPlatformTest implements ChatPlatformContract {
    private static TestDatabase scratch;
    private static Database database;

    private final Mac mac = new Mac();
    private BlueBubblesPlatform platform;

    @BeforeAll
    static void open() {
        scratch = RunningServer.freshDatabase();
        database = Database.open(RunningServer.storage(scratch.address()), 2);
    }

    @AfterAll
    static void drop() {
        database.close();
        scratch.close();
    }

    @BeforeEach
    void begin() {
        platform = new BlueBubblesPlatform(mac.access(), mac.calls, mac.files, new Backfills(database), mac.clock);
    }

    @AfterEach
    void close() {
        platform.close();
        mac.close();
    }

    @Override
    public ChatPlatform platform() {
        return platform;
    }

    @Override
    public InboundRequest saying(String text) {
        ObjectNode event = Json.MAPPER.createObjectNode().put("type", "new-message");
        event.set("data", BlueBubblesMessages.said(Mac.DIRECT, Mac.FRIEND, text, mac.clock.instant()));
        return genuine(event.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public InboundRequest genuine(byte[] body) {
        return with(Mac.SECRET, body);
    }

    @Override
    public InboundRequest forged(InboundRequest genuine) {
        return with("a-secret-of-a-path-1", genuine.readBody());
    }

    private static InboundRequest with(String secret, byte[] body) {
        return InboundRequest.of(BlueBubblesPlatform.PATH, Map.of("secret", secret), name -> Optional.empty(), body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a-secret-of-a-path-", "a-secret-of-a-path-00", "A-SECRET-OF-A-PATH-0", "密碼"})
    void onlyTheWholeSecretIsTheSecret(String secret) {
        assertRefused(with(secret, "{}".getBytes(StandardCharsets.UTF_8)), 401);
    }

    @Test
    void unknownEventsAreAcceptedAndIgnored() {
        for (String body : List.of(
                "{}",
                "{\"type\":7,\"data\":[]}",
                "{\"type\":\"new-message\"}",
                "{\"type\":\"new-message\",\"data\":null}",
                "{\"type\":\"tomorrow\",\"data\":{}}")) {
            assertThat(platform.receive(genuine(body.getBytes(StandardCharsets.UTF_8)))
                            .inbound())
                    .as(body)
                    .singleElement()
                    .isInstanceOf(PlatformEvent.Ignored.class);
        }
    }

    @Test
    void platformHasATransport() {
        assertThat(platform.source()).isEqualTo("bluebubbles");
        assertThat(platform.transport().orElseThrow().source()).isEqualTo("bluebubbles");
        assertThat(platform.paths()).containsExactly("bluebubbles/{secret}");
    }
}
