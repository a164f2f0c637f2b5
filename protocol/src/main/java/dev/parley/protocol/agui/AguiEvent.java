package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import tools.jackson.databind.annotation.JsonDeserialize;

/** One event of a run. AG-UI 1.0 has 31 types; {@link UnknownEvent} stands for types of later versions. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"type"})
@JsonDeserialize(using = AguiJson.EventDeserializer.class)
public sealed interface AguiEvent permits RunEvent, MessagesSnapshot, AttributedEvent, UnknownEvent {
    /** The type's name on the wire, such as {@code TEXT_MESSAGE_START}. */
    @JsonProperty
    String type();

    Common common();
}
