/** Threads, their participants and capabilities, and the front door for messages. */
@NullMarked
package dev.parley.threads;

import org.jspecify.annotations.NullMarked;
