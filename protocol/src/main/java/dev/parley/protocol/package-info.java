/**
 * The types that server and clients share: ids, actors, problems; one sub-package per wire protocol. This package knows
 * no feature.
 */
@NullMarked
package dev.parley.protocol;

import org.jspecify.annotations.NullMarked;
