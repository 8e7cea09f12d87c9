package dev.almanac.console;

import dev.almanac.Groups;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobState;
import dev.almanac.model.Rate;
import dev.almanac.store.StoredGroup;
import dev.almanac.web.json.Fields;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "groups", description = "Works with sizes and rates of exclusive groups.", addMethodSubcommands = false)
final class GroupsCommand {
    @Command(
            name = "list",
            description = "Lists the groups that have a size or a rate; of any other group one job runs at a time.")
    int list(@Mixin Session session) {
        Columns<StoredGroup> columns = new Columns<StoredGroup>()
                .key("GROUP", StoredGroup::name)
                .whole("SIZE", sound(group -> group.limits().size(), 0))
                .whole("RATE", GroupsCommand::rate)
                .whole("VERSION", sound(StoredGroup::version, "-"))
                .whole("CHANGED (UTC)", sound(group -> Times.second(group.latestUpdate(), ZoneOffset.UTC), "-"))
                .text("BY", sound(StoredGroup::author, "-"))
                .note(group -> group.damage() == null ? null : "damaged: " + group.damage());
        return session.use(scheduler -> session.out()
                .list(
                        "groups",
                        scheduler.groups().list(),
                        GroupsCommand::fields,
                        "no group has a size or a rate",
                        columns));
    }

    @Command(name = "show", description = "Shows size and rate of a group, and which of its jobs hold its slots.")
    int show(@Mixin Session session, @Parameters(paramLabel = "NAME", description = "the group's name") String name) {
        return session.use(scheduler -> {
            StoredGroup group = get(scheduler.groups(), name);
            Map<String, JobState> states = new LinkedHashMap<>();
            JobQuery query = JobQuery.ofRunningGroup(name);
            while (query != null) {
                JobPage page = scheduler.listJobs(query);
                page.jobs().forEach(job -> states.put(job.specification().jobSpecificationKey(), job.jobState()));
                query = page.lastKey() == null ? null : query.after(page.lastKey());
            }
            String held = states.entrySet().stream()
                    .map(holder -> holder.getKey() + " (" + holder.getValue() + ")")
                    .collect(Collectors.joining(", ", states.size() + ": ", ""));
            session.out().answer(fields(group).with("holders", states), out -> {
                out.head(group.name());
                if (group.damage() == null) {
                    out.value("size", group.limits().size());
                    out.value("rate", rate(group));
                    out.value("version", group.version() + ", of " + Times.both(group.latestUpdate(), ZoneOffset.UTC));
                    out.value("by", group.author());
                }
                out.value("damaged", group.damage());
                out.value("held by", states.isEmpty() ? "none" : held);
            });
        });
    }

    @Command(
            name = "put",
            description =
                    "Stores size and rate of a group, replacing the stored ones; nodes apply them within a second.")
    int put(
            @Mixin ChangeSession session,
            @Parameters(paramLabel = "NAME", description = "as jobs name it in their exclusive group") String name,
            @Option(
                            names = "--size",
                            paramLabel = "N",
                            required = true,
                            description = "how many of its jobs may run at a time in the whole cluster, 1 to 1000")
                    int size,
            @Option(
                            names = "--rate",
                            paramLabel = "RATE",
                            description =
                                    "how many may be claimed within a period, such as 10/s, 100/min or 5/PT10S (default: any number)")
                    @Nullable
                    String rate,
            @Option(
                            names = "--if-version",
                            paramLabel = "VERSION",
                            description = "only if this version is stored; 0: only if none is")
                    @Nullable
                    Long version) {
        GroupLimits limits = InvalidInputException.unless(
                "the group was refused, nothing was written: ",
                () -> new GroupLimits(size, rate == null ? null : Rate.parse(rate)));
        return session.use(scheduler -> {
            Groups groups = scheduler.groups();
            StoredGroup before = groups.get(name).orElse(null);
            StoredGroup stored = version == null ? groups.put(name, limits) : groups.put(name, limits, version);
            boolean changed = before == null || stored.version() != before.version();
            GroupLimits former = before == null || before.damage() != null ? null : before.limits();
            String replaced = former == null ? "" : "; before: " + former;
            session.answer(
                    fields(stored)
                            .with("changed", changed)
                            .with("before", changed && former != null ? fields(former) : null),
                    changed
                            ? name + " is version " + stored.version() + " now: " + stored.limits() + replaced
                            : name + " is stored already, nothing was changed");
        });
    }

    @Command(
            name = "remove",
            description = "Removes size and rate of a group: one of its jobs runs at a time from then on.")
    int remove(
            @Mixin ChangeSession session,
            @Parameters(paramLabel = "NAME", description = "the group's name") String name) {
        return session.use(scheduler -> {
            get(scheduler.groups(), name);
            scheduler.groups().remove(name);
            session.answer(new Fields().with("removed", name), name + " was removed; one of its jobs runs at a time");
        });
    }

    private static StoredGroup get(Groups groups, String name) {
        return groups.get(name)
                .orElseThrow(() -> new NotFoundException("group '" + name
                        + "' has no stored limits, so one of its jobs runs at a time"
                        + Nearest.meant(
                                name,
                                groups.list().stream().map(StoredGroup::name).toList())));
    }

    private static Fields fields(StoredGroup group) {
        Fields fields = new Fields().with("group", group.name());
        return group.damage() != null
                ? fields.with("damage", group.damage())
                : fields.and(fields(group.limits()))
                        .with("version", group.version())
                        .with("latestUpdate", group.latestUpdate())
                        .with("author", group.author());
    }

    private static Fields fields(GroupLimits limits) {
        return new Fields().with("size", limits.size()).with("rate", limits.rate());
    }

    /** A property of a group that can be read; of others the replacement. */
    private static Function<StoredGroup, ?> sound(Function<StoredGroup, ?> property, Object otherwise) {
        return group -> group.damage() == null ? property.apply(group) : otherwise;
    }

    private static String rate(StoredGroup group) {
        Rate rate = group.limits().rate();
        return rate == null ? "-" : rate.toString();
    }
}
