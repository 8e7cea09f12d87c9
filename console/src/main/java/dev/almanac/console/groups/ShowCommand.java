package dev.almanac.console.groups;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Job;
import dev.almanac.model.JobQuery;
import dev.almanac.store.StoredGroup;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code almanac groups show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Shows size and rate of a group, and which of its jobs hold its slots.")
final class ShowCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "the group's name")
    private String name;

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = access.scheduler();
        StoredGroup group = GroupAnswer.get(scheduler.groups(), name);
        List<Job> holders = scheduler.listJobs(JobQuery.ofRunningGroup(name)).jobs();
        if (out.isJson()) {
            Map<String, Object> answer = GroupAnswer.of(group);
            Map<String, String> states = new LinkedHashMap<>();
            holders.forEach(job -> states.put(key(job), job.jobState().name()));
            answer.put("holders", states);
            out.json(answer);
            return 0;
        }
        out.head(group.name());
        if (group.damage() == null) {
            out.value("size", group.limits().size());
            out.value("rate", GroupAnswer.rate(group));
            out.value("version", group.version() + ", of " + Times.both(group.latestUpdate(), ZoneOffset.UTC));
            out.value("by", group.author());
        } else {
            out.value("damaged", group.damage());
        }
        String named = holders.stream()
                .map(job -> key(job) + " (" + job.jobState() + ")")
                .collect(Collectors.joining(", "));
        out.value("held by", holders.isEmpty() ? "none" : holders.size() + ": " + named);
        return 0;
    }

    private static String key(Job job) {
        return job.specification().jobSpecificationKey();
    }
}
