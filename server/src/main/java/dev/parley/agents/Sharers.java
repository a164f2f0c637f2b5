package dev.parley.agents;

/**
 * The actor whose share of a limited resource an actor uses. A user's agents use that user's share, since users may
 * register agents freely; other actors use their own.
 */
public final class Sharers {
    private Sharers() {}

    /**
     * The SQL expression for the sharer of an actor.
     *
     * @param actor the column with the actor, qualified by its table, since {@code agents} has columns of its own
     */
    public static String of(String actor) {
        return """
                coalesce((
                    select a.owner from agents a
                    where a.agent_id = case when %1$s like 'agent:%%' then substr(%1$s, 7)::uuid end
                        and a.owner like 'user:%%'), %1$s)""".formatted(actor);
    }
}
