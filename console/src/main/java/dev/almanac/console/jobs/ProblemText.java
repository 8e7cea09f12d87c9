package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.model.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reports all problems of a job together, with the names under which its fields were given (rule M1). */
final class ProblemText {
    private ProblemText() {}

    /** The unreadable values, and the problems that the library finds. Writes nothing. */
    static List<Problem> all(Scheduler scheduler, JobReader.Given given) {
        List<Problem> problems = new ArrayList<>(given.problems());
        Set<String> named =
                problems.stream().map(problem -> root(problem.field())).collect(Collectors.toSet());
        if (named.contains("singleSchedule")) {
            named.add("schedulingSpecification");
        }
        scheduler.check(given.specification()).stream()
                .filter(problem -> !named.contains(root(problem.field())))
                .forEach(problems::add);
        problems.sort(Comparator.comparingInt(ProblemText::place));
        return problems;
    }

    private static int place(Problem problem) {
        return JobField.ofStored(problem.field()).map(JobField::ordinal).orElse(Integer.MAX_VALUE);
    }

    private static String root(String field) {
        return field.split("\\.", 2)[0];
    }

    /** One line for each problem; {@code name} says how a field is written where the job came from. */
    static String text(List<Problem> problems, Function<JobField, String> name) {
        return problems.stream().map(problem -> "\n  " + line(problem, name)).collect(Collectors.joining());
    }

    static String line(Problem problem, Function<JobField, String> name) {
        Optional<JobField> field = JobField.ofStored(problem.field());
        String value = problem.value() == null ? "" : " '" + problem.value() + "'";
        return field.map(name).orElse(problem.field()) + value + " "
                + problem.advice().replace("singleSchedule", name.apply(JobField.AT));
    }
}
