package dev.almanac.console;

import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.StoreRefusedException;
import dev.almanac.store.StoreReport;
import dev.almanac.web.json.Fields;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "indexes", description = "Creates or verifies the indexes.", addMethodSubcommands = false)
final class IndexesCommand {
    @Command(name = "create", description = "Creates missing collections and indexes of the store.")
    int create(
            @Mixin Session session,
            @Option(
                            names = "--partitions",
                            paramLabel = "N",
                            defaultValue = "16",
                            description =
                                    "claim partitions of a store that is created now, 1 to 200 (default: ${DEFAULT-VALUE})")
                    int partitions) {
        MongoStoreSettings store = MongoStoreSettings.defaults().withPartitions(partitions);
        return session.opened(connection -> connection.open(null, store), access -> {
            print(session.out(), access.verifiedStore().open(), List.of());
            return 0;
        });
    }

    @Command(
            name = "verify",
            description =
                    "Verifies the indexes without changing them, and reports what others have added to the collections; exit code 1 for either.")
    int verify(@Mixin Session session) {
        return session.store(access -> {
            try {
                StoreReport report = access.verifiedStore().open();
                List<String> foreign = access.verifiedStore().inspect(0).foreign();
                print(session.out(), report, foreign);
                return foreign.isEmpty() ? 0 : 1;
            } catch (StoreRefusedException refused) {
                String problem = String.valueOf(refused.getMessage());
                Fields fields = new Fields().with("valid", false).with("problem", problem);
                session.out().answer(fields, people -> people.message(problem));
                return 1;
            }
        });
    }

    private static void print(Output output, StoreReport report, List<String> foreign) {
        Fields fields = new Fields()
                .with("valid", true)
                .with("store", report.description())
                .list("warnings", report.warnings())
                .with("foreign", foreign);
        output.answer(fields, out -> {
            out.line(report.description() + ": all indexes are in place");
            report.warnings().stream()
                    .filter(warning -> !warning.startsWith("ALM-020"))
                    .forEach(warning -> out.line("warning: " + warning));
            foreign.forEach(found -> out.line("ALM-020 " + found));
        });
    }
}
