/** The chat face through the whole server and the SDK. */
@NullMarked
package dev.parley.api.chat;

import org.jspecify.annotations.NullMarked;
