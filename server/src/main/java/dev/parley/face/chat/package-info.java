/** The chat face: {@code /api/v1/chat/*} in snake_case. Routes and wire mapping only. */
@NullMarked
package dev.parley.face.chat;

import org.jspecify.annotations.NullMarked;
