/**
 * Model providers for tests: servers on the loopback that speak the streaming wire formats of four providers, say what a
 * script tells them, and refuse what the real ones would refuse.
 */
@NullMarked
package dev.parley.testkit.models;

import org.jspecify.annotations.NullMarked;
