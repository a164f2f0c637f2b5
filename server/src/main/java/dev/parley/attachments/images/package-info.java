/**
 * Recognizes accepted images by walking their bytes, and refuses files that another reader could take for something
 * else. No image is ever decoded: a walk needs one pass and a small, fixed amount of memory.
 */
@NullMarked
package dev.parley.attachments.images;

import org.jspecify.annotations.NullMarked;
