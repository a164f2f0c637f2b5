package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Parts of replies, in the order of their messages, and whether there are more. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record DeliveryPage(List<DeliveryView> deliveries, boolean hasMore) {}
