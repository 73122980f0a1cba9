package io.meshhub.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What is found once more in a row than is allowed is told, and a look without it begins its row anew. */
class StreaksProperties {

    @Property
    void aThingIsToldAtTheLookAfterThoseThatAreAllowed(
            @ForAll @IntRange(min = 0, max = 4) int allowed,
            @ForAll @Size(max = 40) List<@Size(max = 3) Set<@IntRange(min = 0, max = 3) Integer>> looks) {
        Streaks streaks = new Streaks(allowed);
        Map<String, Integer> rows = new HashMap<>();
        for (Set<Integer> look : looks) {
            Set<String> found = new HashSet<>();
            look.forEach(each -> found.add("n" + each));

            Set<String> told = streaks.on(found);

            for (int i = 0; i <= 3; i++) {
                String name = "n" + i;
                int row = found.contains(name) ? rows.getOrDefault(name, 0) + 1 : 0;
                boolean over = row == allowed + 1;
                assertThat(told.contains(name)).isEqualTo(over);
                rows.put(name, over ? 0 : row);
            }
        }
    }
}
