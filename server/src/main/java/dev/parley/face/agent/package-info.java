/** The agent face: runs started by RunAgentInput, and their events as resumable AG-UI streams. */
@NullMarked
package dev.parley.face.agent;

import org.jspecify.annotations.NullMarked;
