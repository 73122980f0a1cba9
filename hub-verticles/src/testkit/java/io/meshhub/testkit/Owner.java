package io.meshhub.testkit;

import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.router.MeshRouter;
import io.vertx.core.json.JsonObject;
import java.util.Set;

/**
 * The hub at one address, wherever it lives and whichever life it is in, and what the test wants it to suffer. Everything
 * is undone at the end of the test.
 *
 * <p>Called on the thread of the test. What goes wrong does so in place of the hub's handlers and before its init, as the
 * mesh sees it: a message that hangs is in progress, and holds back the next one if its handler is exclusive. A hosted hub
 * has an owner too, which cannot be parked.
 */
public final class Owner {

    private final MeshAddress address;
    private final Mesh mesh;
    private final Faults faults;
    private final Set<MeshAddress> parked;

    Owner(MeshAddress address, Mesh mesh, Faults faults, Set<MeshAddress> parked) {
        this.address = address;
        this.mesh = mesh;
        this.faults = faults;
        this.parked = parked;
    }

    /** Where it lives. */
    public MeshAddress address() {
        return address;
    }

    /**
     * Ends the activation and holds the address at {@link io.meshhub.routing.RunLevel#DEAD}: every message gets the true
     * refusal of a dead owner until {@link #release}. A cold address is woken for that.
     *
     * @throws AssertionError when it is not parked within 10 s of real time, such as for a message that hangs in a node
     *     whose time does not pass
     */
    public void park() {
        parked.add(address);
        order("park");
    }

    /** Ends {@link #park}: the next message wakes the address, and those who ride out its refusal come back at once. */
    public void release() {
        order("release");
        parked.remove(address);
    }

    private void order(String what) {
        MeshExtension.await(
                mesh.call(address, new JsonObject().put(what, true), MeshOptions.DEFAULT.withType(MeshRouter.RECYCLE))
                        .answer());
    }

    /**
     * Ends the activation, if there is one, and waits for its end; the next message wakes a new one.
     *
     * @throws AssertionError as for {@link #park}
     */
    public void recycle() {
        MeshExtension.await(mesh.recycle(address));
    }

    /** Lets every message from now on hang until {@link #letGo}: it is in progress, and its handler is not entered. */
    public void hang() {
        hangNext(Integer.MAX_VALUE);
    }

    /**
     * Lets the next messages hang until {@link #letGo}, and no other ones.
     *
     * @param messages at least 1
     */
    public void hangNext(int messages) {
        if (messages < 1) {
            throw new IllegalArgumentException("messages = " + messages + " must be >= 1");
        }
        faults.hang(address, messages);
    }

    /** How many messages hang now, at an activation that is not dead. */
    public int hanging() {
        return faults.hanging(address);
    }

    /** Lets the next message fail with the cause, instead of its handler; several calls add up. */
    public void failNext(Throwable cause) {
        faults.fail(address, cause);
    }

    /** Lets the next start fail with the cause, before the hub's init; several calls add up. */
    public void failNextStart(Throwable cause) {
        faults.failStart(address, cause);
    }

    /** Takes back what was to hang or fail; messages that hang enter their handlers now, in the order of arrival. */
    public void letGo() {
        faults.letGo(address);
    }
}
