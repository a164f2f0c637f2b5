@NullMarked
package dev.parley.models;

import org.jspecify.annotations.NullMarked;
