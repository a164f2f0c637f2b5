package dev.parley.delivery;

import dev.parley.log.Effect;
import java.util.List;

/** The parts to deliver for a message, written in the message's own transaction. */
record DeliveryEffect(List<QueuedParcel> parcels) implements Effect {
    DeliveryEffect {
        parcels = List.copyOf(parcels);
    }

    @Override
    public int weight() {
        return parcels.stream()
                .mapToInt(parcel -> 300 + parcel.content().length())
                .sum();
    }
}
