package dev.parley.agents.demo;

/**
 * A command that a text may begin with.
 *
 * @param name the beginning of the text
 * @param parameters the required text after the name, as the usage shows it; empty if no text is required
 * @param description the command's effect, for the help
 */
record DemoCommand(String name, String parameters, String description, DemoAction action) {
    String usage() {
        return (name + " " + parameters).strip() + ": " + description;
    }

    boolean lacks(String argument) {
        return argument.isEmpty() && !parameters.isEmpty();
    }
}
