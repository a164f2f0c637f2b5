package dev.parley.app.config;

/** The source of a setting's value, the weakest first. */
enum Origin {
    DEFAULT("default"),
    YAML("yaml"),
    ENVIRONMENT("env"),
    FLAG("flag");

    private final String label;

    Origin(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
