package dev.almanac.console.groups;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.JobQuery;
import dev.almanac.store.StoredGroup;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code almanac groups show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Shows size and rate of a group, and which of its jobs run.")
final class ShowCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "the group's name")
    private String name;

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = access.scheduler();
        StoredGroup group = GroupAnswer.get(scheduler.groups(), name);
        List<String> running = scheduler.listJobs(JobQuery.ofRunningGroup(name)).jobs().stream()
                .map(job -> job.specification().jobSpecificationKey())
                .toList();
        if (out.isJson()) {
            Map<String, Object> answer = GroupAnswer.of(group);
            answer.put("running", running);
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
        out.value("running", running.isEmpty() ? "none" : running.size() + ": " + String.join(", ", running));
        return 0;
    }
}
