/** Decides, when a message is committed, which agents of its thread should answer, and the reasons of the others. */
@NullMarked
package dev.parley.engagement;

import org.jspecify.annotations.NullMarked;
