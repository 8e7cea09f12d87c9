package dev.almanac.console.operate;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.StoreRefusedException;
import dev.almanac.store.StoreReport;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code almanac indexes}. Exit code 1 if an index is not as it must be. */
@Command(name = "indexes", mixinStandardHelpOptions = true, description = "Creates or verifies the indexes.")
public final class IndexesCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Where the database is. */
    static final class Where {
        @Option(names = "--uri", description = "connection string; by default ALMANAC_URI of the environment")
        private @Nullable String uri;

        @Option(names = "--database", required = true, description = "name of the database")
        private String database;

        @Option(names = "--prefix", defaultValue = "", description = "prefix of the collections")
        private String prefix;

        private StoreReport open(CommandSpec spec, boolean create) {
            String given = uri != null ? uri : System.getenv("ALMANAC_URI");
            if (given == null || given.isBlank()) {
                throw new ParameterException(
                        spec.commandLine(), "no database is named: give --uri, or set ALMANAC_URI");
            }
            MongoStoreSettings settings = MongoStoreSettings.ofDatabase(database)
                    .withCollectionPrefix(prefix)
                    .withCreateIndexes(create);
            try (MongoClient client = MongoClients.create(given)) {
                return MongoJobStore.create(client, settings).open();
            }
        }
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "create or verify is expected");
    }

    @Command(name = "create", mixinStandardHelpOptions = true, description = "Creates what is missing.")
    int create(@Mixin Where where) {
        return tell(where.open(spec, true), "the indexes are as they must be");
    }

    @Command(name = "verify", mixinStandardHelpOptions = true, description = "Verifies, and changes no index.")
    int verify(@Mixin Where where) {
        try {
            return tell(where.open(spec, false), "the indexes are as they must be");
        } catch (StoreRefusedException refused) {
            spec.commandLine().getErr().println(refused.getMessage());
            return 1;
        }
    }

    private int tell(StoreReport report, String verdict) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(report.description() + ": " + verdict);
        report.warnings().forEach(warning -> out.println("warning: " + warning));
        out.flush();
        return 0;
    }
}
