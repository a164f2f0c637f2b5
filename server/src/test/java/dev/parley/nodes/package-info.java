/** Several servers on one database, as nodes behind a balancer. */
@NullMarked
package dev.parley.nodes;

import org.jspecify.annotations.NullMarked;
