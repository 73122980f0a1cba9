package io.meshhub.hub.sync;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.vertx.core.Context;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The hub whose state is published.
 *
 * @param address where it lives
 * @param activation which life this is
 * @param level how far that has come
 * @param context where its code runs
 * @param keepAwake keeps the hub awake while the condition holds
 */
public record StateHub(
        MeshAddress address,
        ActivationId activation,
        Supplier<RunLevel> level,
        Context context,
        Consumer<BooleanSupplier> keepAwake) {}
