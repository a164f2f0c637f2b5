@NullMarked
package dev.parley.testkit.models;

import org.jspecify.annotations.NullMarked;
