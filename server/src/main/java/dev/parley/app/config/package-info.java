/** Owns the table of settings and how flags, environment and a YAML file become one typed configuration. */
@NullMarked
package dev.parley.app.config;

import org.jspecify.annotations.NullMarked;
