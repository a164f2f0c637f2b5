/** The wire records of the chat face, in snake_case. */
@NullMarked
package dev.parley.protocol.chat;

import org.jspecify.annotations.NullMarked;
