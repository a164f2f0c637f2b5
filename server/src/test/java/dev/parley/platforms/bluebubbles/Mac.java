package dev.parley.platforms.bluebubbles;

import dev.parley.limits.Limits;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Outbound;
import dev.parley.platforms.PlatformFiles;
import dev.parley.protocol.Json;
import dev.parley.testkit.TestClock;
import dev.parley.testkit.chat.ScriptedBlueBubbles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A scripted BlueBubbles server and its callers, at a time when the example events are new. */
final class Mac implements AutoCloseable {
    static final Instant NOW = Instant.ofEpochMilli(1_794_816_000_000L);
    static final String DIRECT = "iMessage;-;+15550100";
    static final String GROUP = "iMessage;+;chat831551415676550949";
    static final String FRIEND = "+15550100";
    static final String SECRET = "a-secret-of-a-path-0";

    final TestClock clock = TestClock.at(NOW);
    final ScriptedBlueBubbles server = new ScriptedBlueBubbles(clock);
    final Calls calls = new Calls(new Outbound(Set.of()));
    final PlatformFiles files = new PlatformFiles(
            calls,
            Limits.defaults().objects().uploadBytes(),
            Limits.defaults().ingest().filesTime());
    final BlueBubblesApi api = new BlueBubblesApi(calls, files, server.url(), ScriptedBlueBubbles.PASSWORD);
    final Contacts contacts = new Contacts(api, clock);
    final BlueBubblesEvents events = new BlueBubblesEvents(api, contacts, clock);

    Mac() {
        server.belongTo("me@example.test");
        server.addContact(FRIEND, "Ash 🌲");
        server.addChat(DIRECT);
        server.addChat(GROUP);
    }

    BlueBubblesPlatform.Access access() {
        return new BlueBubblesPlatform.Access(server.url(), ScriptedBlueBubbles.PASSWORD, SECRET);
    }

    /** A recorded event of a BlueBubbles server. */
    static JsonNode example(String name) {
        try (InputStream file = Objects.requireNonNull(
                Mac.class.getResourceAsStream("/platforms/bluebubbles/" + name + ".json"), name)) {
            return Json.MAPPER.readTree(file.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void close() {
        server.close();
        calls.close();
    }
}
