package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A page of deliveries; each delivery is one part of a reply. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record DeliveryPage(List<DeliveryView> deliveries, boolean hasMore) {}
