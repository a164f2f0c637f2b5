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
 * Who is behind an address, as far as the Mac's contacts know, and whose Mac it is. Remembers answers for a while, and
 * for a short while that there was none: a message never waits long for a name, nor fails for one.
 */
final class Contacts {
    private static final Alphabet ZERO = Alphabet.of("0");
    private static final Alphabet WRITTEN = Alphabet.of(" \t\n\u000b\f\r().-");

    static final Duration REMEMBERED = Duration.ofHours(1);
    static final Duration ASKED_AGAIN = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Contacts.class);
    private static final Duration LIMIT = Duration.ofSeconds(3);
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
                .expireAfterWrite(REMEMBERED)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /** @param name empty if there is none */
    private record KnownName(String name, Instant until) {}

    /** @param addresses the one that people see first */
    private record Owner(List<String> addresses, Instant until) {}

    /** The name that the Mac's owner gave an address; else the address itself. */
    String nameOf(String address) {
        KnownName known = names.getIfPresent(address);
        if (known == null || known.until().isBefore(clock.instant())) {
            known = ask(address);
            names.put(address, known);
        }
        return known.name().isEmpty() ? address : known.name();
    }

    private KnownName ask(String address) {
        ObjectNode question = Json.MAPPER.createObjectNode();
        question.putArray("addresses").add(address);
        JsonNode found = fetch(() -> api.post("contact/query", question, LIMIT));
        if (!found.isArray()) {
            return new KnownName("", clock.instant().plus(ASKED_AGAIN));
        }
        String name = found.valueStream()
                .limit(MAX_ADDRESSES)
                .filter(contact -> has(contact, address))
                .map(Contacts::name)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse("");
        return new KnownName(name, clock.instant().plus(REMEMBERED));
    }

    /** It answers with everybody whose address ends alike; another person's name would be worse than none. */
    private static boolean has(JsonNode contact, String address) {
        String wanted = oneSpelling(address);
        return List.of("phoneNumbers", "emails").stream()
                .flatMap(kind -> contact.path(kind).valueStream().limit(MAX_ADDRESSES))
                .map(each -> oneSpelling(each.isString() ? each.stringValue() : Fields.text(each, "address")))
                .anyMatch(
                        each -> each.equals(wanted) || isNumber(each) && isNumber(wanted) && sameNumber(each, wanted));
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

    /** The address of the Mac's owner; {@code me} as long as the Mac does not say. */
    String ownAddress() {
        List<String> addresses = owner().addresses();
        return addresses.isEmpty() ? "me" : addresses.getFirst();
    }

    /** Whether an address is the owner's own. */
    boolean isOwn(String address) {
        String wanted = oneSpelling(address);
        return !wanted.isEmpty()
                && owner().addresses().stream()
                        .anyMatch(each -> oneSpelling(each).equals(wanted));
    }

    private Owner owner() {
        Owner known = owner;
        if (known.until().isBefore(clock.instant())) {
            JsonNode found = fetch(() -> api.get("server/info", LIMIT));
            Set<String> addresses = new LinkedHashSet<>();
            for (String detected : List.of("detected_imessage", "detected_icloud")) {
                String address = Fields.text(found, detected).strip();
                if (!address.isEmpty()) {
                    addresses.add(address);
                }
            }
            // What was known once stays true while the Mac sleeps: the owner does not become somebody else.
            known = addresses.isEmpty()
                    ? new Owner(known.addresses(), clock.instant().plus(ASKED_AGAIN))
                    : new Owner(List.copyOf(addresses), clock.instant().plus(REMEMBERED));
            owner = known;
        }
        return known;
    }

    private interface Question {
        BlueBubblesApi.Reply ask() throws Calls.NoAnswer, OutboundRefused, InterruptedException;
    }

    /** What it answered; missing if it did not. */
    private static JsonNode fetch(Question question) {
        try {
            BlueBubblesApi.Reply reply = question.ask();
            return reply.status() == 200 ? reply.content() : MissingNode.getInstance();
        } catch (Calls.NoAnswer | OutboundRefused unanswered) {
            LOG.debug("BlueBubbles did not say who somebody is: {}", unanswered.getMessage());
            return MissingNode.getInstance();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return MissingNode.getInstance();
        }
    }

    private static String oneSpelling(String address) {
        String bare = address.strip().toLowerCase(Locale.ROOT);
        return bare.contains("@") ? bare : WRITTEN.removedFrom(bare);
    }

    private static boolean isNumber(String address) {
        return Alphabet.DIGITS.spells(address.startsWith("+") ? address.substring(1) : address, 7, 15);
    }

    private static String significant(String number) {
        return ZERO.strippedFrom(number.startsWith("+") ? number.substring(1) : number);
    }

    /** People write down numbers without their country. */
    private static boolean sameNumber(String one, String other) {
        String a = significant(one);
        String b = significant(other);
        boolean bothWhole = one.startsWith("+") && other.startsWith("+");
        return bothWhole ? a.equals(b) : a.endsWith(b) || b.endsWith(a);
    }
}
