package dev.parley.http;

import dev.parley.protocol.ProblemException;
import java.util.Map;

/**
 * The fields in which the clients of one face read a rendered problem. They replace the fields that every problem has.
 */
public interface ProblemMembers {
    Map<String, ?> of(ProblemException failure);
}
