/** The context of an agent: a pure function of the thread's messages, the agent and its run. No I/O. */
@NullMarked
package dev.parley.assembly;

import org.jspecify.annotations.NullMarked;
