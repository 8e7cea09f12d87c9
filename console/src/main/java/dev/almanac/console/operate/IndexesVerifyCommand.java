package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.store.StoreRefusedException;
import dev.almanac.store.StoreReport;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code almanac indexes verify}. Exit code 1 if an index is not as it must be. */
@Command(name = "verify", mixinStandardHelpOptions = true, description = "Verifies, and changes no index.")
final class IndexesVerifyCommand extends StoreCommand {
    @Override
    protected int answer(StoreAccess access, Output out) {
        try {
            tell(out, access.verifiedStore().open());
            return 0;
        } catch (StoreRefusedException refused) {
            if (out.isJson()) {
                Map<String, Object> answer = new LinkedHashMap<>();
                answer.put("valid", false);
                answer.put("problem", refused.getMessage());
                out.json(answer);
            } else {
                out.message(String.valueOf(refused.getMessage()));
            }
            return 1;
        }
    }

    static void tell(Output out, StoreReport report) {
        if (out.isJson()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("valid", true);
            answer.put("store", report.description());
            answer.put("warnings", report.warnings());
            out.json(answer);
            return;
        }
        out.line(report.description() + ": the indexes are as they must be");
        report.warnings().forEach(warning -> out.line("warning: " + warning));
    }
}
