package io.meshhub.query.remote;

import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider;

/** A provider of another verticle or node, as it was announced. */
final class RemoteProvider implements QueryProvider {

    private final RemoteCalls calls;
    private final String ownName;
    private final String name;
    private final String source;
    private final String place;
    private final String incarnation;
    private long heard;

    RemoteProvider(RemoteCalls calls, Announcement announced, long heard) {
        this.calls = calls;
        this.ownName = announced.name();
        this.name = announced.fullName();
        this.source = announced.source();
        this.place = announced.place();
        this.incarnation = announced.incarnation();
        this.heard = heard;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String source() {
        return source;
    }

    /** It says so from where it is, so that the way there is no time of its own. */
    @Override
    public boolean saysWhenStarted() {
        return true;
    }

    @Override
    public boolean isElsewhere() {
        return true;
    }

    @Override
    public Opened open(ProviderCall call) {
        return calls.open(this, call);
    }

    String ownName() {
        return ownName;
    }

    String place() {
        return place;
    }

    String incarnation() {
        return incarnation;
    }

    void heard(long now) {
        heard = now;
    }

    long heard() {
        return heard;
    }
}
