package dev.parley.app;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A copy of the start script in a small project with a home folder, and with JDKs and Mavens that only record their
 * calls in one file.
 */
final class LauncherSandbox {
    private static final Path PROJECT = Path.of("..");
    private static final Path WRAPPER_PROPERTIES = Path.of(".mvn", "wrapper", "maven-wrapper.properties");
    private static final String PINNED = "apache-maven-3.9.16";
    private static final long LIMIT_SECONDS = 30;
    /** A real Maven resets the colours of the terminal unless told otherwise. */
    private static final String RESET =
            "case ${MAVEN_OPTS:-} in *-Djansi.noreset=true*) ;; *) printf '\\033[0m' >&2 ;; esac";

    private final Path folder;
    private final Map<String, String> environment = new TreeMap<>();

    /** The output and the status of a run of the script. */
    record Outcome(int status, String out, String err, long pid) {}

    /** A sandbox whose paths all contain a space: each unquoted word of the script fails. */
    static LauncherSandbox in(Path folder) throws IOException {
        return new LauncherSandbox(folder.resolve("a folder"));
    }

    LauncherSandbox(Path given) throws IOException {
        folder = Files.createDirectories(given).toRealPath();
        for (Path each : List.of(root(), jdks(), elsewhere(), folder.resolve("bin"))) {
            Files.createDirectories(each);
        }
        copyScripts(root());
        write("pom.xml", "<project/>");
        for (String module : List.of("protocol", "postgres", "sdk", "testkit", "server", "bench", "release")) {
            write(module + "/pom.xml", "<project/>");
            write(module + "/src/main/java/One.java", "class One {}");
        }
        // Replaces the wrapper's download: tests fetch nothing.
        executable(folder.resolve("bin/wget"), "echo \"wget $*\" >>\"$CALLS\"\nexit 1\n");
        executable(pinnedMaven().resolve("bin/mvn"), maven("pinned"));
        environment.put("PATH", folder.resolve("bin") + ":/usr/bin:/bin");
        environment.put("HOME", folder.resolve("home").toString());
        environment.put("PARLEY_JDK_ROOTS", jdks().toString());
        environment.put("PARLEY_REHEARSAL", "off");
        environment.put("CALLS", folder.resolve("calls").toString());
        // The load of a test runs in one loop, regardless of the machine's processors.
        executable(folder.resolve("bin/getconf"), "echo 1\n");
        executable(folder.resolve("browser"), "");
        environment.put("CHROMIUM_PATH", folder.resolve("browser").toString());
    }

    /** Copies the start script, its parts and the Maven Wrapper into another project. */
    private static void copyScripts(Path project) throws IOException {
        List<Path> files = new ArrayList<>(List.of(Path.of("parley"), Path.of("mvnw"), WRAPPER_PROPERTIES));
        try (Stream<Path> parts = Files.list(PROJECT.resolve("scripts"))) {
            parts.map(PROJECT::relativize).forEach(files::add);
        }
        for (Path file : files) {
            Files.createDirectories(project.resolve(file).getParent());
            Files.copy(PROJECT.resolve(file), project.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    /** Puts a Node.js of the version on the PATH, before that of the machine. */
    void nodeOnPath(String version) throws IOException {
        executable(folder.resolve("bin/node"), "echo v" + version + "\n");
        executable(folder.resolve("bin/npm"), "");
    }

    /** Puts a Python on the PATH that creates environments containing itself, and records its calls. */
    void pythonOnPath() throws IOException {
        executable(folder.resolve("bin/python3"), """
                case "$1 ${2:-}" in
                    "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
                    "-m pip" | "-c ") ;;
                    "-m "*) echo "python $2" >>"$CALLS" ;;
                    *auth/me* | *urlopen*) exit "${FAKE_KNOWN_STATUS:-0}" ;;
                esac
                """);
        for (String pins : List.of("agno-2.3.10", "agno-2.9.0", "agno-3.1.10", "openapi")) {
            write("clients/python/tests/" + pins + ".txt", "");
        }
    }

    /** A find that succeeds and still exits with an error, as with a folder that is removed during the search. */
    void findThatMissesAFolder() throws IOException {
        executable(folder.resolve("bin/find"), "/usr/bin/find \"$@\"\nexit 1\n");
    }

    /** Adds a report that the next calls of Maven write into the server's folder. */
    void report(String testClass, String body) throws IOException {
        Path reports = Files.createDirectories(folder.resolve("reports"));
        Files.writeString(
                reports.resolve("TEST-dev.parley." + testClass + ".xml"),
                "<testsuite>\n<testcase name=\"aRule\" classname=\"dev.parley." + testClass + "\">" + body
                        + "\n</testcase>\n</testsuite>\n");
        environment.put("FAKE_REPORTS", reports.toString());
    }

    /** Removes every browser, including those of this machine; the user's id and apt-get are simulated. */
    void removeBrowsers(int user, boolean aptWorks) throws IOException {
        environment.remove("CHROMIUM_PATH");
        Path tools = Files.createDirectories(folder.resolve("tools"));
        for (String place : List.of("/bin", "/usr/bin")) {
            try (Stream<Path> programs = Files.list(Path.of(place))) {
                for (Path program : programs.filter(each -> !isBrowser(each)).toList()) {
                    Path link = tools.resolve(program.getFileName());
                    if (!Files.isSymbolicLink(link)) {
                        Files.createSymbolicLink(link, program);
                    }
                }
            }
        }
        environment.put("PATH", folder.resolve("bin") + ":" + tools);
        executable(folder.resolve("bin/id"), "echo " + user + "\n");
        executable(folder.resolve("bin/apt-get"), """
                echo "apt-get $*" >>"$CALLS"
                [ "$1" != install ] || %s
                """.formatted(
                        aptWorks ? "cp \"$0\" \"$(dirname \"$0\")/chromium\"" : "exit 100"));
    }

    private static boolean isBrowser(Path program) {
        return program.getFileName().toString().matches("chromium.*|google-chrome.*");
    }

    Path root() {
        return folder.resolve("project");
    }

    Path jdks() {
        return folder.resolve("jdks");
    }

    /** The folder in which the script is called. */
    Path elsewhere() {
        return folder.resolve("elsewhere");
    }

    /** The folder in which the wrapper keeps the Maven that its properties name. */
    Path pinnedMaven() throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(PROJECT.resolve(WRAPPER_PROPERTIES))) {
            properties.load(reader);
        }
        int hash = properties.getProperty("distributionUrl").hashCode();
        return folder.resolve("home/.m2/wrapper/dists").resolve(PINNED).resolve(Integer.toHexString(hash));
    }

    LauncherSandbox with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    void write(String path, String text) throws IOException {
        Path file = root().resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** A folder that looks like a JDK of the version. Its java prints its arguments, and records a cache if told to. */
    Path jdk(String name, String version) throws IOException {
        Path home = jdks().resolve(name);
        executable(home.resolve("bin/javac"), "exit 1\n");
        executable(home.resolve("bin/java"), """
                echo "java %s $*" >>"$CALLS"
                for argument in "$@"; do
                    case $argument in
                        -XX:AOTCacheOutput=*)
                            [ -z "${FAKE_REHEARSAL_PID:-}" ] || { echo "$$" >"$FAKE_REHEARSAL_PID"; exec sleep 60; }
                            echo learned >"${argument#*=}"
                            exit "${FAKE_REHEARSAL_STATUS:-0}"
                            ;;
                    esac
                done
                case " $* " in
                    *" serve "*)
                        [ -z "${FAKE_SERVER:-}" ] || {
                            env | sed -n 's/^\\(PARLEY_[A-Z_]*\\)=.*/\\1/p' >"$FAKE_SERVER"
                            echo "Parley is listening on http://127.0.0.1:1"
                            exec sleep 60
                        }
                        ;;
                    *" token "*) [ "${FAKE_TOKEN_STATUS:-0}" = 0 ] || exit "$FAKE_TOKEN_STATUS" ;;
                esac
                echo "pid=$$"
                echo "pwd=$PWD"
                printf '[%%s]' "$@"
                exit "${FAKE_JAVA_STATUS:-0}"
                """.formatted(name));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Somebody\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    void removePinnedMaven() throws IOException {
        Files.delete(pinnedMaven().resolve("bin/mvn"));
        Files.delete(pinnedMaven().resolve("bin"));
        Files.delete(pinnedMaven());
    }

    /** Puts a Maven of the version on the PATH, which can also fetch the pinned one. */
    void mavenOnPath(String version) throws IOException {
        executable(folder.resolve("pinned"), maven("pinned"));
        executable(
                folder.resolve("bin/mvn"),
                """
                if [ "$1" = --version ]; then
                    printf '\\033[1mApache Maven %s (fake)\\033[m\\n'
                    exit 0
                fi
                for argument in "$@"; do
                    case $argument in
                        -DoutputDirectory=*)
                            %s
                            echo "maven path fetches" >>"$CALLS"
                            [ "${FAKE_FETCH_STATUS:-0}" = 0 ] || exit 1
                            mkdir -p "${argument#*=}/%s/bin"
                            cp '%s' "${argument#*=}/%s/bin/mvn"
                            exit 0
                            ;;
                    esac
                done
                """.formatted(version, RESET, PINNED, folder.resolve("pinned"), PINNED) + maven("path"));
    }

    /** The calls so far, one line each. */
    List<String> calls() throws IOException {
        Path calls = folder.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    Outcome run(String... arguments) throws IOException, InterruptedException {
        return runScript(root().resolve("parley"), arguments);
    }

    Outcome runScript(Path script, String... arguments) throws IOException, InterruptedException {
        return start(script, arguments).outcome();
    }

    Running start(String... arguments) throws IOException {
        return start(root().resolve("parley"), arguments);
    }

    private Running start(Path script, String... arguments) throws IOException {
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of("bash", script.toString()), Stream.of(arguments))
                                .toList())
                .directory(elsewhere().toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return new Running(builder.start(), out, err);
    }

    /** A run of the script that may not have ended yet. */
    record Running(Process process, Path out, Path err) {
        Outcome outcome() throws IOException, InterruptedException {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("The script did not end: " + Files.readString(err));
            }
            return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err), process.pid());
        }
    }

    private static String maven(String name) {
        return """
                echo "maven %s $(basename "$JAVA_HOME") $PWD $*" >>"$CALLS"
                %s
                [ "${FAKE_MAVEN_STATUS:-0}" = 0 ] || exit "$FAKE_MAVEN_STATUS"
                [ -z "${FAKE_REPORTS:-}" ] || {
                    mkdir -p server/target/surefire-reports
                    cp "$FAKE_REPORTS"/*.xml server/target/surefire-reports
                }
                [ -z "${FAKE_MAVEN_PID:-}" ] || { echo "$$" >"$FAKE_MAVEN_PID"; exec sleep 60; }
                for module in server bench release; do
                    mkdir -p "$module/target/lib"
                    echo "built ${FAKE_BUILD:-}" >"$module/target/parley-$module.jar"
                    echo library >"$module/target/lib/library.jar"
                done
                """.formatted(name, RESET);
    }

    static void executable(Path file, String script) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/usr/bin/env bash\n" + script);
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("Could not make " + file + " executable");
        }
    }
}
