package dev.parley.limits;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Reads the settings from records of limits, and builds such records from values. */
final class LimitSettings {
    private LimitSettings() {}

    /** The defaults by the names of their settings, in the order of the components. */
    static Map<String, Object> of(Class<?> type) {
        Map<String, Object> settings = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Limit limit = component.getAnnotation(Limit.class);
            Map<String, Object> defaults =
                    limit == null ? of(component.getType()) : Map.of(limit.name(), parse(limit, component.getType()));
            defaults.forEach((name, value) -> {
                if (settings.put(name, value) != null) {
                    throw new IllegalStateException("Two limits are named " + name);
                }
            });
        }
        return Collections.unmodifiableMap(settings);
    }

    private static Object parse(Limit limit, Class<?> type) {
        String text = limit.value().replace("_", "");
        if (type == int.class) {
            return Integer.parseInt(text);
        }
        return (type == long.class ? Sizes.parse(text) : Durations.parse(text))
                .orElseThrow(() -> new IllegalStateException("The default of " + limit.name() + " cannot be read"));
    }

    /** Builds a record from the defaults. The given values replace the defaults of the settings that they name. */
    static <R> R build(Class<R> type, Map<String, Object> replaced) {
        Map<String, Object> values = new HashMap<>(of(type));
        Set<String> unknown = new HashSet<>(replaced.keySet());
        unknown.removeAll(values.keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("There are no limits named " + unknown);
        }
        values.putAll(replaced);
        return newRecord(type, values);
    }

    private static <R> R newRecord(Class<R> type, Map<String, Object> values) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] arguments = Arrays.stream(components)
                .map(component -> argument(component, values))
                .toArray();
        try {
            return type.getDeclaredConstructor(types).newInstance(arguments);
        } catch (NoSuchMethodException
                | InvocationTargetException
                | InstantiationException
                | IllegalAccessException impossible) {
            throw new IllegalStateException("A record could not be built from its own components: " + type, impossible);
        }
    }

    private static Object argument(RecordComponent component, Map<String, Object> values) {
        Limit limit = component.getAnnotation(Limit.class);
        return limit == null
                ? newRecord(component.getType(), values)
                : Objects.requireNonNull(values.get(limit.name()), limit.name());
    }
}
