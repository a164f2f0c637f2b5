package dev.parley.log;

/**
 * What a command is carried out on instead of its actor's place in the thread, for work that outlives it: an agent that was
 * removed in mid-answer must still be able to end its run. Judged by the rule of the feature that issues it.
 */
public interface Warrant {}
