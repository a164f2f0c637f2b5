/** The built-in agent that shows every feature of a run and needs no key. It answers the same to the same turn. */
@NullMarked
package dev.parley.agents.demo;

import org.jspecify.annotations.NullMarked;
