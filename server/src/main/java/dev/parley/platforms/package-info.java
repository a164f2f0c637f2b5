/**
 * Chat platforms, a package for each: how its deliveries are verified and mapped, and how it is told something. Adapters
 * know wire formats only; what becomes of what they bring is {@code ingest}'s, and when they send is {@code delivery}'s.
 */
@NullMarked
package dev.parley.platforms;

import org.jspecify.annotations.NullMarked;
