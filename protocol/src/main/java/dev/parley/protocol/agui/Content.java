package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.stream.Collectors;

/** The content of a user's message or a tool's result: one text, or parts. */
public sealed interface Content {
    /** The whole text; the texts of parts are joined without a separator. */
    String plainText();

    record Text(@JsonValue String text) implements Content {
        @Override
        public String plainText() {
            return text;
        }
    }

    record Parts(@JsonValue List<ContentPart> parts) implements Content {
        public Parts {
            parts = List.copyOf(parts);
        }

        @Override
        public String plainText() {
            return parts.stream()
                    .filter(ContentPart.Text.class::isInstance)
                    .map(part -> ((ContentPart.Text) part).text())
                    .collect(Collectors.joining());
        }
    }
}
