package dev.parley.http;

import dev.parley.protocol.ProblemException;
import java.util.Map;

/** The members by which the clients of one face read a rendered problem; they replace those that every problem has. */
public interface ProblemMembers {
    Map<String, ?> of(ProblemException failure);
}
