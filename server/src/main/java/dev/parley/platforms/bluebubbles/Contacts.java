package dev.parley.platforms.bluebubbles;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Json;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The names of addresses in the Mac's contacts, and the addresses of the Mac's owner. Answers are cached, and missing
 * answers are cached for a shorter time. A message never waits long for a name, and never fails because a name is
 * missing.
 */
final class Contacts {
    private static final Alphabet ZERO = Alphabet.of("0");
    private static final Alphabet SEPARATORS = Alphabet.of(" \t\n\u000b\f\r().-");

    static final Duration LIFETIME = Duration.ofHours(1);
    static final Duration RETRY_INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Contacts.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final int MAX_NAMES = 10_000;
    private static final int MAX_NAME = 200;
    private static final int MAX_ADDRESSES = 50;

    private final BlueBubblesApi api;
    private final Clock clock;
    private final Cache<String, KnownName> names;
    private volatile Owner owner = new Owner(List.of(), Instant.MIN);

    Contacts(BlueBubblesApi api, Clock clock) {
        this.api = api;
        this.clock = clock;
        this.names = Caffeine.newBuilder()
                .maximumSize(MAX_NAMES)
                .expireAfterWrite(LIFETIME)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /** @param name empty if the contacts have no name for the address */
    private record KnownName(String name, Instant until) {}

    /** @param addresses the owner's addresses, beginning with the address that people see */
    private record Owner(List<String> addresses, Instant until) {}

    /** The name of an address in the owner's contacts, else the address itself. */
    String nameOf(String address) {
        KnownName known = names.getIfPresent(address);
        if (known == null || known.until().isBefore(clock.instant())) {
            known = query(address);
            names.put(address, known);
        }
        return known.name().isEmpty() ? address : known.name();
    }

    private KnownName query(String address) {
        ObjectNode question = Json.MAPPER.createObjectNode();
        question.putArray("addresses").add(address);
        JsonNode contacts = fetch(() -> api.post("contact/query", question, TIMEOUT));
        if (!contacts.isArray()) {
            return new KnownName("", clock.instant().plus(RETRY_INTERVAL));
        }
        String name = contacts.valueStream()
                .limit(MAX_ADDRESSES)
                .filter(contact -> has(contact, address))
                .map(Contacts::name)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse("");
        return new KnownName(name, clock.instant().plus(LIFETIME));
    }

    /** True if the contact has the address; BlueBubbles also answers with contacts whose addresses end alike. */
    private static boolean has(JsonNode contact, String address) {
        String normalized = normalized(address);
        return List.of("phoneNumbers", "emails").stream()
                .flatMap(kind -> contact.path(kind).valueStream().limit(MAX_ADDRESSES))
                .map(each -> normalized(each.isString() ? each.stringValue() : Fields.text(each, "address")))
                .anyMatch(each -> each.equals(normalized)
                        || isNumber(each) && isNumber(normalized) && areSameNumber(each, normalized));
    }

    private static String name(JsonNode contact) {
        String full = (Fields.text(contact, "firstName") + " " + Fields.text(contact, "lastName")).strip();
        for (String name : List.of(
                Fields.text(contact, "displayName").strip(),
                full,
                Fields.text(contact, "nickname").strip())) {
            if (!name.isEmpty()) {
                return name.codePointCount(0, name.length()) <= MAX_NAME
                        ? name
                        : name.substring(0, name.offsetByCodePoints(0, MAX_NAME));
            }
        }
        return "";
    }

    /** The first address of the Mac's owner; {@code me} while it is unknown. */
    String ownAddress() {
        List<String> addresses = owner().addresses();
        return addresses.isEmpty() ? "me" : addresses.getFirst();
    }

    /** True if the address belongs to the Mac's owner. */
    boolean isOwn(String address) {
        String normalized = normalized(address);
        return !normalized.isEmpty()
                && owner().addresses().stream()
                        .anyMatch(each -> normalized(each).equals(normalized));
    }

    private Owner owner() {
        Owner known = owner;
        if (known.until().isBefore(clock.instant())) {
            JsonNode info = fetch(() -> api.get("server/info", TIMEOUT));
            Set<String> addresses = new LinkedHashSet<>();
            for (String detected : List.of("detected_imessage", "detected_icloud")) {
                String address = Fields.text(info, detected).strip();
                if (!address.isEmpty()) {
                    addresses.add(address);
                }
            }
            // Known addresses stay valid while the Mac sleeps.
            known = addresses.isEmpty()
                    ? new Owner(known.addresses(), clock.instant().plus(RETRY_INTERVAL))
                    : new Owner(List.copyOf(addresses), clock.instant().plus(LIFETIME));
            owner = known;
        }
        return known;
    }

    private interface Question {
        BlueBubblesApi.Reply ask() throws Calls.NoAnswer, OutboundRefused, InterruptedException;
    }

    /** The content of the answer; a missing node if there is no answer. */
    private static JsonNode fetch(Question question) {
        try {
            BlueBubblesApi.Reply reply = question.ask();
            return reply.status() == 200 ? reply.content() : MissingNode.getInstance();
        } catch (Calls.NoAnswer | OutboundRefused unanswered) {
            LOG.debug("BlueBubbles contacts: no answer; showing the address: {}", unanswered.getMessage());
            return MissingNode.getInstance();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return MissingNode.getInstance();
        }
    }

    private static String normalized(String address) {
        String bare = address.strip().toLowerCase(Locale.ROOT);
        return bare.contains("@") ? bare : SEPARATORS.removedFrom(bare);
    }

    private static boolean isNumber(String address) {
        return Alphabet.DIGITS.spells(address.startsWith("+") ? address.substring(1) : address, 7, 15);
    }

    private static String significant(String number) {
        return ZERO.strippedFrom(number.startsWith("+") ? number.substring(1) : number);
    }

    /** Compares two numbers, of which one may lack its country code. */
    private static boolean areSameNumber(String first, String second) {
        String a = significant(first);
        String b = significant(second);
        boolean bothWhole = first.startsWith("+") && second.startsWith("+");
        return bothWhole ? a.equals(b) : a.endsWith(b) || b.endsWith(a);
    }
}
