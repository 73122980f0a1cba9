package io.meshhub;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The house: which package may use which, and what no package may do. Every violation is printed, not the first. */
class ArchitectureTest {

    private static final String ROOT = "io.meshhub.";
    private static final Set<String> CONTRACT = Set.of("routing", "routing.failure");
    private static final Set<String> KEEL = union(CONTRACT, Set.of("routing.spi", "routing.router"));
    private static final Set<String> NEIGHBOURS = Set.of(
            "sync",
            "sync.protocol",
            "query",
            "query.language",
            "query.gate",
            "query.remote",
            "cluster",
            "cluster.lease",
            "cluster.settings");

    /** For each package those that it may use; of the packages of one module each may use the ones before it. */
    private static final Map<String, Set<String>> ARROWS = arrows();

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/src/it/") && !location.contains("test-classes"))
            .importPackages("io.meshhub");

    private static Map<String, Set<String>> arrows() {
        Map<String, Set<String>> arrows = new TreeMap<>();
        CONTRACT.forEach(name -> arrows.put(name, CONTRACT));
        arrows.put("routing.spi", CONTRACT);
        arrows.put("routing.queues", union(CONTRACT, Set.of("routing.spi")));
        arrows.put("routing.router", union(CONTRACT, Set.of("routing.spi", "routing.queues")));
        arrows.put("sync.protocol", KEEL);
        arrows.put("sync", union(KEEL, Set.of("sync.protocol")));
        arrows.put("query.language", KEEL);
        arrows.put("query.gate", union(CONTRACT, Set.of("query.language")));
        arrows.put("query", union(KEEL, Set.of("query.language", "query.gate")));
        arrows.put("query.remote", union(KEEL, Set.of("query", "query.language", "query.gate")));
        arrows.put("cluster.settings", Set.of());
        arrows.put("cluster.lease", KEEL);
        arrows.put("cluster.links", union(KEEL, Set.of("cluster.lease")));
        arrows.put("cluster", union(KEEL, Set.of("cluster.settings", "cluster.lease", "cluster.links")));
        Set<String> below = union(KEEL, NEIGHBOURS);
        for (String name : List.of(
                "hub.guard",
                "hub.life",
                "hub.sync",
                "hub.asking",
                "hub",
                "hub.store",
                "hub.node",
                "hub.activity",
                "hub.query",
                "hub.access",
                "hub.access.policy",
                "hub.access.directory",
                "hub.access.existence",
                "hub.admin",
                "hub.launcher.client",
                "hub.launcher")) {
            arrows.put(name, below);
            below = union(below, Set.of(name));
        }
        return arrows;
    }

    private static Set<String> union(Set<String> a, Set<String> b) {
        Set<String> all = new TreeSet<>(a);
        all.addAll(b);
        return all;
    }

    private static String packageOf(JavaClass type) {
        return type.getPackageName()
                .substring(Math.min(ROOT.length(), type.getPackageName().length()));
    }

    private static List<JavaClass> ours() {
        return CLASSES.stream()
                .filter(type -> type.getPackageName().startsWith(ROOT))
                .toList();
    }

    @Test
    void everyPackageHasItsPlaceInTheHouse() {
        Set<String> strangers = ours().stream()
                .map(ArchitectureTest::packageOf)
                .filter(name -> !ARROWS.containsKey(name))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(strangers).as("packages without a place").isEmpty();
        assertThat(ours()).as("classes looked at").hasSizeGreaterThan(100);
    }

    @Test
    void arrowsPointDownOnly() {
        Set<String> violations = new TreeSet<>();
        for (JavaClass type : ours()) {
            String from = packageOf(type);
            type.getDirectDependenciesFromSelf().forEach(dependency -> {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (!target.getPackageName().startsWith(ROOT)) {
                    return;
                }
                String to = packageOf(target);
                if (!to.equals(from) && !ARROWS.getOrDefault(from, Set.of()).contains(to)) {
                    violations.add(from + " -> " + to + ": " + dependency.getDescription());
                }
            });
        }

        assertThat(violations).as("dependencies against the arrows").isEmpty();
    }

    /** Main code cannot: it is compiled without the kit. */
    @Test
    void theTestKitStandsAboveHubsAndBringsNoLibraryButJUnit() {
        Set<String> below = union(KEEL, Set.of("cluster", "cluster.lease", "hub", "testkit"));
        List<String> libraries =
                List.of("java.", "io.vertx.core", "io.netty.", "org.junit.jupiter.api", "org.slf4j", "org.jspecify");
        JavaClasses kit = new ClassFileImporter()
                .withImportOption(location -> location.contains("test-classes") && !location.contains("Test"))
                .importPackages("io.meshhub.testkit");
        Set<String> violations = new TreeSet<>();
        for (JavaClass type : kit) {
            type.getDirectDependenciesFromSelf().forEach(dependency -> {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                String name = target.getName();
                boolean allowed = target.isPrimitive()
                        || (name.startsWith(ROOT)
                                ? below.contains(packageOf(target))
                                : libraries.stream().anyMatch(name::startsWith));
                if (!allowed) {
                    violations.add(dependency.getDescription());
                }
            });
        }

        assertThat(violations).as("what the test kit may not use").isEmpty();
        assertThat(kit).as("classes of the kit").hasSizeGreaterThan(8);
    }

    @Test
    void onlyClusterConfigNamesHazelcast() {
        assertThat(users("com.hazelcast", Set.of("cluster", "cluster.links"))).isEmpty();
        assertThat(users("io.vertx.spi.cluster.hazelcast", Set.of("cluster"))).isEmpty();
    }

    @Test
    void onlyTheStoreSpeaksSql() {
        assertThat(users("java.sql", Set.of("hub.store"))).isEmpty();
        assertThat(users("org.sqlite", Set.of("hub.store"))).isEmpty();
    }

    private static Set<String> users(String library, Set<String> allowed) {
        Set<String> violations = new TreeSet<>();
        for (JavaClass type : ours()) {
            if (allowed.contains(packageOf(type))) {
                continue;
            }
            type.getDirectDependenciesFromSelf().stream()
                    .filter(dependency ->
                            dependency.getTargetClass().getPackageName().startsWith(library))
                    .forEach(dependency -> violations.add(dependency.getDescription()));
        }
        return violations;
    }

    @Test
    void nothingSleepsAndNothingRunsOnTheCommonPool() {
        List<String> violations = new ArrayList<>();
        for (JavaClass type : ours()) {
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                String owner = call.getTargetOwner().getFullName();
                boolean sleeps =
                        owner.equals(Thread.class.getName()) && call.getName().equals("sleep");
                boolean commonPool = owner.equals(CompletableFuture.class.getName())
                        && call.getName().endsWith("Async")
                        && call.getTarget().getRawParameterTypes().stream()
                                .noneMatch(parameter -> parameter.isEquivalentTo(Executor.class));
                if (sleeps || commonPool) {
                    violations.add(call.getDescription());
                }
            }
        }

        assertThat(violations).isEmpty();
    }

    @Test
    void routersAndHubsWaitThroughThePacer() {
        Set<String> paced = Set.of("routing", "routing.failure", "routing.spi", "routing.router", "hub", "hub.node");
        List<String> violations = new ArrayList<>();
        for (JavaClass type : ours()) {
            if (!paced.contains(packageOf(type))) {
                continue;
            }
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                boolean timer = Set.of("setTimer", "timer").contains(call.getName())
                        && call.getTargetOwner().getPackageName().startsWith("io.vertx.core");
                if (timer) {
                    violations.add(call.getDescription());
                }
            }
        }

        assertThat(violations).isEmpty();
    }

    @Test
    void packagesStaySmallEnoughToBeKnown() {
        Map<String, Long> sizes = ours().stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(ArchitectureTest::packageOf, TreeMap::new, Collectors.counting()));

        assertThat(sizes).allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(32));
    }
}
