package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.store.StoreRefusedException;
import dev.almanac.store.StoreReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code almanac indexes verify}. Exit code 1 if an index is not as it must be. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = "Verifies the indexes without changing them. Reports what others have added to the collections.")
final class IndexesVerifyCommand extends StoreCommand {
    @Override
    protected int answer(StoreAccess access, Output out) {
        try {
            StoreReport report = access.verifiedStore().open();
            List<String> foreign = access.verifiedStore().inspect(0).indexProblems();
            print(out, report, foreign);
            return foreign.isEmpty() ? 0 : 1;
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

    static void print(Output out, StoreReport report, List<String> foreign) {
        if (out.isJson()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("valid", true);
            answer.put("store", report.description());
            answer.put("warnings", report.warnings());
            if (!foreign.isEmpty()) {
                answer.put("foreign", foreign);
            }
            out.json(answer);
            return;
        }
        out.line(report.description() + ": all indexes are in place");
        report.warnings().stream()
                .filter(warning -> !warning.startsWith("ALM-020"))
                .forEach(warning -> out.line("warning: " + warning));
        foreign.forEach(found -> out.line("ALM-020 " + found));
    }
}
