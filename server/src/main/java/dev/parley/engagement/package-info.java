/** Who answers: decides, when a message is committed, which agents of its thread should respond, and why not the others. */
@NullMarked
package dev.parley.engagement;

import org.jspecify.annotations.NullMarked;
