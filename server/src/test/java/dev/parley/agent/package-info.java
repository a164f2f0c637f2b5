/** The agent face, called over HTTP. */
@NullMarked
package dev.parley.agent;

import org.jspecify.annotations.NullMarked;
