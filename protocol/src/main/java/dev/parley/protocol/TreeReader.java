package dev.parley.protocol;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.util.JsonParserDelegate;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.jackson.JsonNodeDeserializer;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * Reads JSON as a tree that writes its decimals in the form in which they arrived. Only {@code -0} loses its sign,
 * because it is read as a whole number, and whole numbers have no negative zero.
 */
final class TreeReader<T extends JsonNode> extends StdDeserializer<T> {
    private final Class<T> type;
    private final ValueDeserializer<?> reader;

    TreeReader(Class<T> type) {
        super(type);
        this.type = type;
        this.reader = JsonNodeDeserializer.getDeserializer(type);
    }

    @Override
    public T deserialize(JsonParser parser, DeserializationContext context) {
        return type.cast(reader.deserialize(new Decimals(parser), context));
    }

    @Override
    public @Nullable Object getNullValue(DeserializationContext context) {
        return reader.getNullValue(context);
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
        return reader.getAbsentValue(context);
    }

    @Override
    public boolean isCachable() {
        return true;
    }

    private static final class Decimals extends JsonParserDelegate {
        Decimals(JsonParser parser) {
            super(parser);
        }

        @Override
        public BigDecimal getDecimalValue() {
            try {
                return VerbatimDecimal.of(super.getDecimalValue(), getString());
            } catch (NumberFormatException e) {
                // The parser accepts exponents that no decimal can have.
                throw new StreamConstraintsException("The number is out of range", currentTokenLocation());
            }
        }
    }
}
