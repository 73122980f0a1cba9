package io.meshhub.hub.access.directory;

import io.meshhub.hub.access.Key;
import io.meshhub.hub.access.Lookup;
import io.meshhub.hub.access.Lookup.Found;
import io.meshhub.hub.access.Lookup.Unavailable;
import io.meshhub.hub.access.Lookup.Unknown;
import io.meshhub.hub.access.Principal;
import io.meshhub.query.language.QueryNode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The identities of one snapshot, by id and by e-mail address. Never changed.
 *
 * <p>An identity is a node of type {@value #NODE_TYPE} whose name is the id, with {@code principal}, {@code emails} and
 * {@code note}. While one of them cannot be read nobody is unknown by e-mail: it could be his. An address that two of
 * them have is nobody's.
 */
final class Identities {

    /** The type of its nodes: {@value}. */
    static final String NODE_TYPE = "access-identity";

    /** None. */
    static final Identities NONE = new Identities();

    private static final String PRINCIPAL = "principal";
    private static final String EMAILS = "emails";
    private static final String NOTE = "note";
    private static final Set<String> FIELDS = Set.of(PRINCIPAL, EMAILS, NOTE);

    private final Map<String, Lookup> byId = new HashMap<>();
    private final Map<String, Lookup> byEmail = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    private Identities() {}

    /** Of all nodes below the directory's address. */
    static Identities of(Collection<QueryNode> nodes) {
        Identities identities = new Identities();
        nodes.forEach(identities::add);
        return identities;
    }

    private void add(QueryNode node) {
        JsonObject content = node.content();
        Optional<String> fault = faultOf(node);
        if (fault.isPresent()) {
            String why = "identity " + node.path() + ", version " + node.version() + " cannot be read: " + fault.get();
            faults.add(why);
            byId.put(node.path().name(), new Unavailable(List.of(), why));
            return;
        }
        Lookup found = new Found(content.getString(PRINCIPAL));
        byId.put(node.path().name(), found);
        for (Object email : content.getJsonArray(EMAILS, new JsonArray())) {
            byEmail.merge(folded(String.valueOf(email)), found, (first, second) -> {
                String why = "two identities have one e-mail address, one of them " + node.path();
                return first.equals(second) ? first : new Unavailable(List.of(), why);
            });
        }
    }

    private static Optional<String> faultOf(QueryNode node) {
        JsonObject content = node.content();
        if (!node.nodeType().equals(NODE_TYPE)) {
            return Optional.of("its type is " + node.nodeType());
        }
        Set<String> foreign = new TreeSet<>(content.fieldNames());
        foreign.removeAll(FIELDS);
        if (!foreign.isEmpty()) {
            return Optional.of("fields " + foreign + " are unknown");
        }
        if (!(content.getValue(PRINCIPAL) instanceof String name)
                || Principal.faultOf(name).isPresent()) {
            return Optional.of("field '" + PRINCIPAL + "' must be the name of a principal");
        }
        Object emails = content.getValue(EMAILS);
        boolean texts = emails instanceof JsonArray array && array.stream().allMatch(String.class::isInstance);
        return !content.containsKey(EMAILS) || texts
                ? Optional.empty()
                : Optional.of("field '" + EMAILS + "' must be an array of texts");
    }

    private static String folded(String email) {
        return email.toLowerCase(Locale.ROOT);
    }

    /** Whose it is. */
    Lookup find(Key key) {
        if (key.kind() == Key.Kind.ID) {
            return orUnknown(byId.get(key.text()));
        }
        Lookup known = byEmail.get(folded(key.text()));
        return known == null && !faults.isEmpty() ? new Unavailable(List.of(), faults.get(0)) : orUnknown(known);
    }

    private static Lookup orUnknown(@Nullable Lookup known) {
        return known == null ? new Unknown() : known;
    }

    /** Those that cannot be read. */
    List<String> faults() {
        return faults;
    }
}
