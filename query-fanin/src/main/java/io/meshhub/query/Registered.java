package io.meshhub.query;

/** A provider that was asked for its name and source once: whatever it says later, it is known by these. */
record Registered(String name, String source, QueryProvider provider) implements QueryProvider {

    static Registered of(QueryProvider provider) {
        return new Registered(provider.name(), provider.source(), provider);
    }

    @Override
    public boolean saysWhenStarted() {
        return provider.saysWhenStarted();
    }

    @Override
    public boolean isElsewhere() {
        return provider.isElsewhere();
    }

    @Override
    public Opened open(ProviderCall call) {
        return provider.open(call);
    }
}
