/** The agent face: runs started by RunAgentInput, and their events as resumable streams of AG-UI. */
@NullMarked
package dev.parley.face.agent;

import org.jspecify.annotations.NullMarked;
