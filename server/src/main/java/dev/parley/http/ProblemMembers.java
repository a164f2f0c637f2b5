package dev.parley.http;

import dev.parley.protocol.Problem;
import java.util.Map;

/** Further members of a rendered problem; none of them replaces one that every problem has. */
public interface ProblemMembers {
    /** @param detail what happened this time */
    Map<String, ?> of(Problem problem, String detail);
}
