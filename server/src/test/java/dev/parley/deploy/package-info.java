/** The files of deploy/ for operators, each compared with the server that it is for. */
@NullMarked
package dev.parley.deploy;

import org.jspecify.annotations.NullMarked;
