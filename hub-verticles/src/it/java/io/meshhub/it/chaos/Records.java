package io.meshhub.it.chaos;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The file in which a process notes what its callers saw and its hubs did, a line each. Each line is written at once, so
 * that a {@code kill -9} loses none.
 */
final class Records implements AutoCloseable {

    private static final String INVOKED = "I";
    private static final String RETURNED = "R";
    private static final String EXECUTED = "E";

    private final FileChannel file;
    private final String process;

    private Records(FileChannel file, String process) {
        this.file = file;
        this.process = process;
    }

    static Records open(Path directory, String process) {
        try {
            return new Records(
                    FileChannel.open(
                            directory.resolve("records-" + process + ".jsonl"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.APPEND),
                    process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void invoked(Op op) {
        write(new JsonArray()
                .add(INVOKED)
                .add(op.id())
                .add(op.address())
                .add(op.kind().name())
                .add(op.expected())
                .add(op.invoked())
                .add(op.deadline()));
    }

    void returned(long op, long at, Op.Outcome outcome, String failure, @Nullable Answer answer) {
        write(new JsonArray()
                .add(RETURNED)
                .add(op)
                .add(at)
                .add(outcome.name())
                .add(failure)
                .add(answer == null ? null : JsonObject.mapFrom(answer)));
    }

    void executed(long op, String address, long activation, long started) {
        write(new JsonArray().add(EXECUTED).add(op).add(address).add(activation).add(started));
    }

    private void write(JsonArray line) {
        ByteBuffer bytes = ByteBuffer.wrap((line.encode() + "\n").getBytes(StandardCharsets.UTF_8));
        synchronized (file) {
            try {
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("records of " + process, e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Reads all records of the directory into the two lists; all times from the origin on. */
    static void read(Path directory, long origin, List<Op> ops, List<Execution> executions) throws IOException {
        List<Path> files;
        try (var listed = Files.list(directory)) {
            files = listed.filter(path -> path.getFileName().toString().startsWith("records-"))
                    .sorted()
                    .toList();
        }
        for (Path path : files) {
            String name = path.getFileName().toString();
            String process = name.substring("records-".length(), name.length() - ".jsonl".length());
            List<Op> read = new ArrayList<>();
            List<Execution> entered = new ArrayList<>();
            read(path, process, read, entered);
            read.forEach(op -> ops.add(op.from(origin)));
            entered.forEach(execution -> executions.add(execution.from(origin)));
        }
    }

    private static void read(Path path, String process, List<Op> ops, List<Execution> executions) throws IOException {
        Map<Long, Op> byId = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>(Files.readAllLines(path));
        for (int i = 0; i < lines.size(); i++) {
            // The kill of a process can cut its last line off.
            if (i < lines.size() - 1 || lines.get(i).endsWith("]")) {
                read(new JsonArray(lines.get(i)), process, byId, executions);
            }
        }
        ops.addAll(byId.values());
    }

    private static void read(JsonArray line, String process, Map<Long, Op> byId, List<Execution> executions) {
        switch (line.getString(0)) {
            case INVOKED ->
                byId.put(
                        line.getLong(1),
                        new Op(
                                line.getLong(1),
                                process,
                                line.getString(2),
                                Op.Kind.valueOf(line.getString(3)),
                                line.getLong(4),
                                line.getLong(5),
                                line.getLong(6),
                                0,
                                Op.Outcome.PENDING,
                                "",
                                null));
            case RETURNED -> {
                JsonObject answer = line.getJsonObject(5);
                byId.computeIfPresent(
                        line.getLong(1),
                        (id, op) -> op.ended(
                                line.getLong(2),
                                Op.Outcome.valueOf(line.getString(3)),
                                line.getString(4),
                                answer == null ? null : answer.mapTo(Answer.class)));
            }
            case EXECUTED ->
                executions.add(
                        new Execution(line.getLong(1), process, line.getString(2), line.getLong(3), line.getLong(4)));
            default -> throw new IllegalArgumentException("a record begins with " + line.getString(0));
        }
    }
}
