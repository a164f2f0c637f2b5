/** Owns the table of settings, and merges flags, environment and a YAML file into one typed configuration. */
@NullMarked
package dev.parley.app.config;

import org.jspecify.annotations.NullMarked;
