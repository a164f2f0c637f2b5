package dev.parley.sessions;

import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What clients of sessions may call things: any text that can be kept, ids and names each up to their length. */
public final class ClientNames {
    private final Limits limits;
    private final Consumer<FieldError> complain;

    /** @param complain told of each text that is not allowed */
    public ClientNames(Limits limits, Consumer<FieldError> complain) {
        this.limits = limits;
        this.complain = complain;
    }

    /** Refuses at once what is not allowed. */
    public static ClientNames strict(Limits limits) {
        return new ClientNames(limits, error -> {
            throw ProblemException.invalidFields(List.of(error));
        });
    }

    /** Anything but control characters, which no path may hold. */
    public String id(String field, String id) {
        if (Text.hasControl(id)) {
            complain.accept(new FieldError(field, "must not hold a control character"));
            return id;
        }
        return text(field, id, limits.opaqueId());
    }

    public @Nullable String idIfGiven(String field, @Nullable String id) {
        return id == null ? null : id(field, id);
    }

    /** Nobody is called by nothing but spaces: such a name is left out. */
    public @Nullable String nameIfGiven(String field, @Nullable String name) {
        return name == null || name.isBlank() ? null : text(field, name, limits.displayName());
    }

    /** Any other text of which there must be something. */
    public String text(String field, String text, int longest) {
        if (text.isEmpty()) {
            complain.accept(new FieldError(field, "must be a text that is not empty"));
        } else if (!Text.isStorable(text)) {
            complain.accept(new FieldError(field, "must not hold U+0000 or half a surrogate pair"));
        } else if (!Text.isAtMost(text, longest)) {
            complain.accept(new FieldError(field, "is longer than the limit of " + longest + " characters"));
        }
        return text;
    }
}
