package dev.parley.protocol.agent;

import java.util.List;

/** Labels and their values. */
public record UiKv(List<UiKvItem> items) implements UiNode {
    public UiKv {
        items = List.copyOf(items);
    }
}
