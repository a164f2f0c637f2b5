/** The agent face, called over HTTP. */
@NullMarked
package dev.parley.api.agent;

import org.jspecify.annotations.NullMarked;
