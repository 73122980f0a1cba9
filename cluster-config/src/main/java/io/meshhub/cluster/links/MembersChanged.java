package io.meshhub.cluster.links;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;

/**
 * Hears that a member has come or gone, whichever.
 *
 * @param heard called on a thread of Hazelcast
 */
public record MembersChanged(Runnable heard) implements MembershipListener {

    @Override
    public void memberAdded(MembershipEvent event) {
        heard.run();
    }

    @Override
    public void memberRemoved(MembershipEvent event) {
        heard.run();
    }
}
