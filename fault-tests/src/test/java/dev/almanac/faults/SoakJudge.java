package dev.almanac.faults;

import com.mongodb.client.MongoDatabase;
import dev.almanac.faults.Evidence.Line;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** What must be so after a soak: of documents, their rows, and the helpers' ledger. */
final class SoakJudge {
    private final MongoDatabase database;
    private final Evidence evidence;
    private final Path answers;
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Document> jobs = new HashMap<>();
    private int again;

    SoakJudge(MongoDatabase database, Evidence evidence, Path answers) {
        this.database = database;
        this.evidence = evidence;
        this.answers = answers;
    }

    List<String> judge() {
        database.getCollection("jobSpecification").find().forEach(job -> {
            jobs.put(job.getString("jobSpecificationKey"), job);
            judgeDocument(job);
        });
        judgeRuns();
        judgeAnswers();
        return violations;
    }

    /** How often an attempt was started once more. */
    int again() {
        return again;
    }

    private void judgeDocument(Document job) {
        String key = job.getString("jobSpecificationKey");
        if (job.get("deleteTime") == null) {
            violations.add(
                    key + " is not over: " + job.get("due") + ", " + job.get("lease") + ", " + job.get("blocked"));
            return;
        }
        if (job.get("due") != null || job.get("lease") != null) {
            violations.add(key + " is over and due or leased");
        }
        Document newest = database.getCollection("jobExecutionStatus")
                .find(new Document("jobSpecificationId", job.get("_id")))
                .sort(new Document("updatedTime", -1))
                .first();
        String last = job.getObjectId("_id").toHexString()
                + job.get("lastStatus", Document.class).getString("id");
        if (newest == null || !newest.getString("_id").equals(last)) {
            violations.add("the newest row of " + key + " is " + (newest == null ? "none" : newest.getString("_id"))
                    + ", lastStatus is " + last);
        }
        boolean good = "TRIGGERED".equals(job.get("lastStatus", Document.class).getString("executionStatus"));
        if (good && evidence(key).isEmpty()) {
            violations.add(key + " went well and was never started");
        }
    }

    private List<Line> evidence(String key) {
        return byJob().getOrDefault(key, List.of());
    }

    private Map<String, List<Line>> byJob;

    private Map<String, List<Line>> byJob() {
        if (byJob == null) {
            byJob = new HashMap<>();
            evidence.lines()
                    .forEach(line -> byJob.computeIfAbsent(line.job(), job -> new ArrayList<>())
                            .add(line));
        }
        return byJob;
    }

    private void judgeRuns() {
        byJob().forEach((job, lines) -> {
            long fencing = 0;
            Map<String, Line> begun = new HashMap<>();
            for (Line line : lines) {
                if (line.event().equals("start")) {
                    if (line.fencing() <= fencing) {
                        violations.add(
                                job + " was started with fencing number " + line.fencing() + " after " + fencing);
                    }
                    fencing = line.fencing();
                    judgeAgain(begun.put(line.run(), line), line);
                }
            }
            if (job.startsWith("once-")
                    && lines.stream()
                                    .filter(line -> line.event().equals("start"))
                                    .count()
                            > 1) {
                violations.add(job + " was started twice");
            }
        });
        judgeOverlaps();
    }

    /** An attempt is started once more only if a row tells that its first run was abandoned. */
    private void judgeAgain(@Nullable Line before, Line line) {
        if (before == null) {
            return;
        }
        again++;
        if (!Cluster.wasAbandoned(database, before, line)) {
            violations.add("no row tells that the first run was abandoned: " + before + ", " + line);
        }
    }

    /** Two runs of a job, or of a group, that both owned their lease at the end, do not overlap. */
    private void judgeOverlaps() {
        Map<String, Line> open = new HashMap<>();
        Map<String, Long> ended = new HashMap<>();
        for (Line line : evidence.lines()) {
            String run = line.job() + " " + line.fencing();
            if (line.event().equals("start")) {
                open.put(run, line);
            } else if (line.event().equals("end") && open.containsKey(run)) {
                Line start = open.remove(run);
                String what = what(line.job());
                if (start.at() < ended.getOrDefault(what, 0L)) {
                    violations.add("two valid runs of " + what + " at a time: " + line);
                }
                ended.merge(what, line.at(), Math::max);
            }
        }
    }

    private String what(String job) {
        Document stored = jobs.get(job);
        Object group = stored == null ? null : stored.get("exclusiveGroup");
        return group == null ? job : "group " + group;
    }

    private void judgeAnswers() {
        try {
            for (String line : Files.exists(answers) ? Files.readAllLines(answers) : List.<String>of()) {
                String[] answer = line.split("\t");
                if (answer.length == 3 && answer[0].equals("canceled")) {
                    long at = Long.parseLong(answer[2]);
                    evidence(answer[1]).stream()
                            .filter(run -> run.event().equals("start") && run.at() > at)
                            .forEach(run -> violations.add(run.job() + " was started after CANCELED: " + run));
                } else if (answer.length == 3 && answer[0].equals("scheduled") && !jobs.containsKey(answer[1])) {
                    violations.add(answer[1] + " was stored and is not there");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
