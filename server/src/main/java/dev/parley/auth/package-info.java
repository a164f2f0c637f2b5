/** Turns credentials into principals. Owns the rules about tokens and about the local user of a first start. */
@NullMarked
package dev.parley.auth;

import org.jspecify.annotations.NullMarked;
