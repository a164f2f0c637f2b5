package dev.parley.sessions;

import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks the ids and names that clients of sessions give: any storable text up to its length. */
public final class ClientNames {
    private final Limits.Requests limits;
    private final Consumer<FieldError> complain;

    /** @param complain receives the error of each text that is refused */
    public ClientNames(Limits.Requests limits, Consumer<FieldError> complain) {
        this.limits = limits;
        this.complain = complain;
    }

    /** Throws at the first text that is refused. */
    public static ClientNames strict(Limits.Requests limits) {
        return new ClientNames(limits, error -> {
            throw ProblemException.invalidFields(List.of(error));
        });
    }

    /** Checks an id: any text without control characters, because a path must not contain them. */
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

    /** Checks a name. A blank name counts as missing. */
    public @Nullable String nameIfGiven(String field, @Nullable String name) {
        return name == null || name.isBlank() ? null : text(field, name, limits.displayName());
    }

    /** Checks any other text, which must not be empty. */
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
