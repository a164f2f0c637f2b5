package dev.parley.protocol.sessions;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A run with its document and children.
 *
 * @param document exactly the text that the client sent; null if there is none
 * @param children the ids of the runs that name this run as their parent
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record WholeSessionRun(
        @JsonUnwrapped SessionRunView run,
        @JsonRawValue @Nullable String document,
        List<String> children) {}
