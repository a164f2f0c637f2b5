package dev.parley.agents.demo;

/**
 * A text that makes the agent do something.
 *
 * @param name what the text begins with
 * @param follows what has to stand behind the name; empty if nothing has to
 * @param does in words for people
 */
record DemoCommand(String name, String follows, String does, DemoAction row) {
    String usage() {
        return (name + " " + follows).strip() + ": " + does;
    }

    boolean lacks(String said) {
        return said.isEmpty() && !follows.isEmpty();
    }
}
