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

/** What must be so after a soak: of documents, their rows, and the helpers' ledger. */
final class SoakJudge {
    private final MongoDatabase database;
    private final Evidence evidence;
    private final Path answers;
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Document> jobs = new HashMap<>();
    private Map<String, List<Line>> starts = Map.of();
    private int again;

    SoakJudge(MongoDatabase database, Evidence evidence, Path answers) {
        this.database = database;
        this.evidence = evidence;
        this.answers = answers;
    }

    List<String> judge() {
        starts = evidence.startsOfJobs();
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
        violations.addAll(Cluster.violations(database, job));
        String key = job.getString("jobSpecificationKey");
        boolean good = "TRIGGERED".equals(job.get("lastStatus", Document.class).getString("executionStatus"));
        if (job.get("deleteTime") != null && good && !starts.containsKey(key)) {
            violations.add(key + " went well and was never started");
        }
    }

    private void judgeRuns() {
        starts.forEach((job, ofJob) -> {
            for (int i = 1; i < ofJob.size(); i++) {
                judgeFencing(ofJob.get(i - 1), ofJob.get(i));
            }
            if (job.startsWith("once-") && ofJob.size() > 1) {
                violations.add(job + " was started twice");
            }
        });
        evidence.starts().values().forEach(ofRun -> {
            for (int i = 1; i < ofRun.size(); i++) {
                again++;
                judgeAbandoned("an attempt was started once more", ofRun.get(i - 1), ofRun.get(i));
            }
        });
        evidence.overlaps(line -> what(line.job()))
                .forEach(end -> violations.add("two valid runs of " + what(end.job()) + " at a time: " + end));
    }

    /** No two claims have a number; of two starts, the one of the earlier claim is noted last only if that was abandoned. */
    private void judgeFencing(Line before, Line line) {
        if (line.fencing() == before.fencing()) {
            violations.add("two starts have a fencing number: " + before + ", " + line);
        } else if (line.at() < before.at()) {
            judgeAbandoned("a start came after that of a later claim", before, line);
        }
    }

    private void judgeAbandoned(String what, Line before, Line line) {
        if (!Cluster.wasAbandoned(database, before.job(), before.fencing() + 1, line.fencing())) {
            violations.add(what + ", and no row tells that the first claim was abandoned: " + before + ", " + line);
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
                    judgeCanceled(answer[1], Long.parseLong(answer[2]));
                } else if (answer.length == 3 && answer[0].equals("scheduled") && !jobs.containsKey(answer[1])) {
                    violations.add(answer[1] + " was stored and is not there");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** No claim follows the one that CANCELED was answered after, and of the earlier ones only an abandoned one starts late. */
    private void judgeCanceled(String job, long answered) {
        Document row = database.getCollection("jobExecutionStatus")
                .find(new Document("jobSpecificationKey", job).append("outcome", "CANCELED"))
                .first();
        if (row == null) {
            violations.add(job + ": CANCELED was answered, and no row says so");
            return;
        }
        long last = row.getLong("claimSeq");
        starts.getOrDefault(job, List.of()).stream()
                .filter(start -> start.fencing() > last
                        || start.at() > answered && !Cluster.wasAbandoned(database, job, start.fencing(), last))
                .forEach(start -> violations.add(job + " was started after CANCELED: " + start));
    }
}
