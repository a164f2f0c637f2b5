package dev.parley.protocol;

import java.time.Instant;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.type.LogicalType;

/** The JSON dialect of server and clients: strict about JSON syntax, lenient towards unknown fields. */
public final class Json {
    /** A document of exactly this many nested levels is accepted; one more level is refused. */
    public static final int MAX_DEPTH = 64;

    public static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(1_000)
                            // The limit on the bytes of a body applies first, and a string cannot be longer than its
                            // body.
                            .maxStringLength(64 * 1024 * 1024)
                            .maxNameLength(10_000)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            // A number, as in `{"content": 5}`, is a mistake to report and never becomes the text "5".
            .withCoercionConfig(LogicalType.Textual, text -> {
                text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                text.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                text.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
            })
            .enable(EnumFeature.READ_ENUMS_USING_TO_STRING)
            .addModule(new SimpleModule("dialect")
                    .addDeserializer(Instant.class, new InstantText())
                    .addDeserializer(JsonNode.class, new TreeReader<>(JsonNode.class))
                    .addDeserializer(ObjectNode.class, new TreeReader<>(ObjectNode.class))
                    .addDeserializer(ArrayNode.class, new TreeReader<>(ArrayNode.class)))
            .build();

    private Json() {}
}
