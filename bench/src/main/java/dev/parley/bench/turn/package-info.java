/** The cost of one turn, which is a question to an agent and its answer, alone and beside other turns. */
@NullMarked
package dev.parley.bench.turn;

import org.jspecify.annotations.NullMarked;
