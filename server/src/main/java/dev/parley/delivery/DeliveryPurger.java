package dev.parley.delivery;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** Deletes a thread's deliveries and webhooks. Destinations stay, because another thread may get them. */
public final class DeliveryPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("deliveries", "webhooks");
    }
}
