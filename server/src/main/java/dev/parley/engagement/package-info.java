/**
 * Decides, when a message is committed, which agents of its thread should answer, and why the other agents should not.
 */
@NullMarked
package dev.parley.engagement;

import org.jspecify.annotations.NullMarked;
