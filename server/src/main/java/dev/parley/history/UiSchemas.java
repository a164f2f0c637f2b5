package dev.parley.history;

import dev.parley.protocol.agent.UiAction;
import dev.parley.protocol.agent.UiBadge;
import dev.parley.protocol.agent.UiButton;
import dev.parley.protocol.agent.UiKv;
import dev.parley.protocol.agent.UiKvItem;
import dev.parley.protocol.agent.UiMeta;
import dev.parley.protocol.agent.UiNode;
import dev.parley.protocol.agent.UiSchema;
import dev.parley.protocol.agent.UiStack;
import dev.parley.protocol.agent.UiText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compiles an agent's UI hints to a UiSchema. Hints are untrusted: fields of a wrong type and unknown fields are
 * ignored, texts are cut, and no hint makes the compilation fail.
 */
final class UiSchemas {
    static final int MAX_ITEMS = 50;
    static final int MAX_BUTTONS = 10;
    static final int MAX_BODY = 2_000;
    static final int MAX_LINE = 200;

    private static final UiMeta NOTHING = new UiMeta(null, null, null, null);
    private static final Set<String> STATUSES = Set.of("info", "success", "warning", "error", "pending");
    private static final Set<String> THEMES = Set.of("default", "light", "dark");
    private static final Set<String> STYLES = Set.of("primary", "secondary", "ghost", "danger");

    private UiSchemas() {}

    /**
     * A card for the hints; null if the hints are empty.
     *
     * @param locale the locale of hints that name none
     * @param meta the origin of the hints; left out if it is empty
     */
    static @Nullable UiSchema compile(JsonNode hints, String locale, UiMeta meta) {
        if (!hints.isObject()) {
            return null;
        }
        JsonNode given = hints.path("status");
        String status = choice(given, STATUSES, "info");
        List<UiNode> children = new ArrayList<>();
        addText(children, hints.path("title"), "title", MAX_LINE);
        if (given.isString()) {
            children.add(new UiBadge(status.toUpperCase(Locale.ROOT), status));
        }
        addText(children, hints.path("subtitle"), "subtitle", MAX_LINE);
        addText(children, hints.path("body"), "body", MAX_BODY);
        addItems(children, hints.path("items"));
        addButtons(children, hints.path("actions"));
        return children.isEmpty()
                ? null
                : new UiSchema(
                        UiSchema.VERSION,
                        locale(hints.path("locale"), locale),
                        status,
                        choice(hints.path("theme"), THEMES, "default"),
                        meta.equals(NOTHING) ? null : meta,
                        new UiStack(null, null, "card", children));
    }

    private static void addText(List<UiNode> children, JsonNode given, String role, int longest) {
        String text = line(given, longest);
        if (text != null) {
            children.add(new UiText(text, role, null));
        }
    }

    private static void addItems(List<UiNode> children, JsonNode given) {
        List<UiKvItem> items = new ArrayList<>();
        for (JsonNode each : elements(given)) {
            String label = line(each.path("label"), MAX_LINE);
            JsonNode value = each.path("value");
            boolean shown = value.isString() || value.isNumber() || value.isBoolean();
            if (label != null && shown && items.size() < MAX_ITEMS) {
                items.add(new UiKvItem(label, start(value.asString(), MAX_BODY)));
            }
        }
        if (!items.isEmpty()) {
            children.add(new UiKv(items));
        }
    }

    private static void addButtons(List<UiNode> children, JsonNode given) {
        int buttons = 0;
        for (JsonNode each : elements(given)) {
            String label = line(each.path("label"), MAX_LINE);
            UiAction action = label == null ? null : UiActions.of(each);
            if (label != null && action != null && buttons < MAX_BUTTONS) {
                children.add(new UiButton(label, choice(each.path("style"), STYLES, "secondary"), action));
                buttons++;
            }
        }
    }

    private static Iterable<JsonNode> elements(JsonNode given) {
        return given.isArray() ? given : List.of();
    }

    private static String locale(JsonNode given, String otherwise) {
        return given.isString() && LanguageTag.isWellFormed(given.asString()) ? given.asString() : otherwise;
    }

    private static String choice(JsonNode given, Set<String> known, String otherwise) {
        String text = given.isString() ? given.asString().toLowerCase(Locale.ROOT) : otherwise;
        return known.contains(text) ? text : otherwise;
    }

    private static @Nullable String line(JsonNode given, int longest) {
        return given.isString() && !given.asString().isBlank() ? start(given.asString(), longest) : null;
    }

    private static String start(String text, int longest) {
        return text.codePointCount(0, text.length()) <= longest
                ? text
                : text.substring(0, text.offsetByCodePoints(0, longest));
    }
}
