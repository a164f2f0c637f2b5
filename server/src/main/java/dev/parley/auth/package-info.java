/** Turns credentials into principals. Owns the rules about tokens and the local first-start user. */
@NullMarked
package dev.parley.auth;

import org.jspecify.annotations.NullMarked;
