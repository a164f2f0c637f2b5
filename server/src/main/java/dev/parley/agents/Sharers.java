package dev.parley.agents;

/**
 * Finds the sharer of an actor: the actor whose share of a limited resource is used. A user's agent uses the user's
 * share, because users may register agents freely. Every other actor uses its own share.
 */
public final class Sharers {
    private Sharers() {}

    /**
     * The SQL expression for the sharer of an actor.
     *
     * @param actor the column with the actor, qualified by its table, because the subquery on {@code agents} has
     *     columns of its own
     */
    public static String of(String actor) {
        return """
                coalesce((
                    select a.owner from agents a
                    where a.agent_id = case when %1$s like 'agent:%%' then substr(%1$s, 7)::uuid end
                        and a.owner like 'user:%%'), %1$s)""".formatted(actor);
    }
}
