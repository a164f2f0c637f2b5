/** The HTTP edge on Vert.x: routing, limits, JSON, problem rendering, server-sent events. Knows no feature. */
@NullMarked
package dev.parley.http;

import org.jspecify.annotations.NullMarked;
