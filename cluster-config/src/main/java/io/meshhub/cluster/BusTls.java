package io.meshhub.cluster;

import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Path;

/**
 * How the event bus is encrypted: each node shows a certificate to the others, and takes only peers whose certificate one
 * of the trusted authorities has signed, both ways. Names in certificates are not compared, so the trust store should
 * hold an authority of the mesh alone.
 *
 * @param keyStore a PKCS #12 file with the node's key and certificate
 * @param trustStore a PKCS #12 file with the certificates of the trusted authorities
 * @param password of both files
 */
public record BusTls(Path keyStore, Path trustStore, String password) {

    /** Turns it on. */
    void applyTo(EventBusOptions options) {
        options.setSsl(true)
                .setKeyCertOptions(new PfxOptions().setPath(keyStore.toString()).setPassword(password))
                .setTrustOptions(new PfxOptions().setPath(trustStore.toString()).setPassword(password))
                .setTrustAll(false)
                .setClientAuth(ClientAuth.REQUIRED);
    }

    /** Names the files; the password is not shown. */
    @Override
    public String toString() {
        return "BusTls[keyStore=" + keyStore + ", trustStore=" + trustStore + ", password=***]";
    }
}
