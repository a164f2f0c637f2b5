/**
 * Model providers for tests: servers on the loopback that speak the streaming wire formats of four providers, answer by
 * a script, and refuse requests that the real providers would refuse.
 */
@NullMarked
package dev.parley.testkit.models;

import org.jspecify.annotations.NullMarked;
