package dev.parley.agents;

/**
 * Whose share of a limited resource an actor takes from: an agent of a person takes from that person's, since agents are
 * free to make; everybody else from their own.
 */
public final class Sharers {
    private Sharers() {}

    /**
     * The expression for the sharer of an actor.
     *
     * @param actor the column with the actor, qualified by its table: {@code agents} has columns of its own
     */
    public static String of(String actor) {
        return """
                coalesce((
                    select a.owner from agents a
                    where a.agent_id = case when %1$s like 'agent:%%' then substr(%1$s, 7)::uuid end
                        and a.owner like 'user:%%'), %1$s)""".formatted(actor);
    }
}
