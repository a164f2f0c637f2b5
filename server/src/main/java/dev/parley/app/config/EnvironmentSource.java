package dev.parley.app.config;

import dev.parley.protocol.Nearest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the environment variables {@code PARLEY_*}. An unknown name is only a warning, because orchestrators inject
 * names with this prefix.
 */
record EnvironmentSource(Map<String, GivenSettings.Entry> entries, List<String> warnings) {
    static EnvironmentSource read(Map<String, String> environment) {
        Map<String, Setting<?>> known = new TreeMap<>();
        Settings.all().forEach(setting -> known.put(setting.environmentName(), setting));
        Map<String, GivenSettings.Entry> entries = new HashMap<>();
        List<String> warnings = new ArrayList<>();
        new TreeMap<>(environment).forEach((name, text) -> {
            Setting<?> setting = known.containsKey(name) ? known.get(name) : secret(name);
            if (setting != null) {
                entries.put(
                        setting.name(),
                        new GivenSettings.Entry(text, Origin.ENVIRONMENT, "the environment name " + name));
            } else if (name.startsWith(Setting.ENVIRONMENT_PREFIX) && !Settings.LAUNCHER_ENVIRONMENT.contains(name)) {
                warnings.add("The environment name " + name + " is not known and has no effect; did you mean "
                        + Nearest.of(name, known.keySet()) + "?");
            }
        });
        return new EnvironmentSource(entries, List.copyOf(warnings));
    }

    private static @Nullable Setting<?> secret(String name) {
        return name.startsWith(Settings.SECRET_ENVIRONMENT) ? Settings.find(Setting.nameOf(name)) : null;
    }
}
