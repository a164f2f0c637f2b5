package dev.parley.app.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The texts given for settings, each from its strongest source. Reading a setting parses its text. */
final class GivenSettings {
    private final Map<String, Entry> entries = new HashMap<>();

    /** A text, its origin and its exact location. */
    record Entry(String text, Origin origin, String location) {}

    /** The effective value of a setting, ready to be printed. */
    record Effective(String name, String shown, Origin origin) {}

    /** Adds all entries of a stronger source; they replace earlier entries. */
    void overlay(Map<String, Entry> stronger) {
        entries.putAll(stronger);
    }

    <T> @Nullable T find(Setting<T> setting) {
        Entry entry = entry(setting);
        return entry == null ? null : setting.read(entry.text(), entry.location());
    }

    <T> T require(Setting<T> setting) {
        return Objects.requireNonNull(find(setting), setting.name());
    }

    List<Effective> effective() {
        List<Effective> lines = new ArrayList<>();
        for (Setting<?> setting : settings()) {
            Entry entry = entry(setting);
            lines.add(
                    entry == null
                            ? new Effective(setting.name(), "not set", Origin.DEFAULT)
                            : new Effective(setting.name(), printed(setting, entry), entry.origin()));
        }
        return List.copyOf(lines);
    }

    /** All settings, including secrets, which exist only if they are given. */
    private List<Setting<?>> settings() {
        Map<String, Setting<?>> settings = new LinkedHashMap<>();
        Settings.all().forEach(setting -> settings.put(setting.name(), setting));
        entries.keySet().stream()
                .sorted()
                .forEach(name -> settings.putIfAbsent(name, Objects.requireNonNull(Settings.find(name))));
        return List.copyOf(settings.values());
    }

    /** The given secrets by the names that configurations refer to. */
    Map<String, Secret> secrets() {
        Map<String, Secret> secrets = new HashMap<>();
        entries.forEach((name, entry) -> {
            if (name.startsWith(Settings.SECRETS)) {
                secrets.put(
                        name.substring(Settings.SECRETS.length()),
                        new Setting<>(name, Settings.SECRET.type(), null, "").read(entry.text(), entry.location()));
            }
        });
        return Map.copyOf(secrets);
    }

    private <T> String printed(Setting<T> setting, Entry entry) {
        return setting.type().show().apply(setting.read(entry.text(), entry.location()));
    }

    private @Nullable Entry entry(Setting<?> setting) {
        Entry entry = entries.get(setting.name());
        String fallback = setting.fallback();
        return entry == null && fallback != null ? new Entry(fallback, Origin.DEFAULT, "default") : entry;
    }
}
