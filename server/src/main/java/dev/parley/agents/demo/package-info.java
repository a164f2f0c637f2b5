/** The built-in agent that shows every feature of a run and needs no key. Equal turns get equal answers. */
@NullMarked
package dev.parley.agents.demo;

import org.jspecify.annotations.NullMarked;
