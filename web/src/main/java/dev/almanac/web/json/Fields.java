package dev.almanac.web.json;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.Explanation;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.LogLine;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Pause;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.Progress;
import dev.almanac.model.Retention;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields of an answer in JSON, by the names of the stored documents; what is absent or empty is left out. */
public final class Fields {
    /** Records that are objects in JSON; others are texts. */
    private static final Set<Class<?>> OBJECTS = Set.of(
            EncodedCommand.class,
            ErrorSummary.class,
            JobExecutionStatus.class,
            LogLine.class,
            MissedFires.class,
            Pause.class,
            ProcessingContext.class,
            Progress.class,
            Retention.class);

    private final Map<String, Object> fields = new LinkedHashMap<>();

    /** The components of a record, without flags that are off. */
    public static Fields of(Record record) {
        Fields fields = new Fields();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            try {
                Object value = component.getAccessor().invoke(record);
                fields.with(component.getName(), Boolean.FALSE.equals(value) ? null : value);
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException("a record that cannot be read: " + record.getClass(), e);
            }
        }
        return fields;
    }

    /** The fields of a specification that mean something for the job. */
    public static Fields of(JobSpecification job) {
        Fields fields = new Fields();
        job.shownFields().forEach((field, value) -> fields.with(field.name(), value));
        return fields;
    }

    /** Adds a field, unless it is absent or an empty list. */
    public Fields with(String name, @Nullable Object value) {
        if (value != null && !(value instanceof Collection<?> items && items.isEmpty())) {
            fields.put(name, plain(value));
        }
        return this;
    }

    /** A list that is there if it is empty, too. */
    public Fields list(String name, Collection<?> items) {
        fields.put(name, plain(items));
        return this;
    }

    /** Adds the fields of others. */
    public Fields and(Fields others) {
        fields.putAll(others.fields);
        return this;
    }

    /** Removes fields. */
    public Fields without(String... names) {
        List.of(names).forEach(fields::remove);
        return this;
    }

    /** The fields by name, in order. */
    public Map<String, Object> map() {
        return fields;
    }

    private static Object plain(Object value) {
        if (value instanceof Number || value instanceof Boolean || value instanceof Map<?, ?>) {
            return value;
        } else if (value instanceof Collection<?> items) {
            return (items instanceof Set<?> ? items.stream().sorted() : items.stream())
                    .map(Fields::plain)
                    .toList();
        } else if (value instanceof Fields object) {
            return object.fields;
        } else if (value instanceof JobSpecification job) {
            return of(job).fields;
        } else if (value instanceof Progress progress && progress.total() == 0) {
            return of(progress).without("total").fields;
        } else if (value instanceof Explanation.Reason reason) {
            // its text is that for this viewer
            return of(reason).without("discreet").fields;
        } else if (value instanceof Record record && OBJECTS.contains(record.getClass())) {
            return of(record).fields;
        }
        return value instanceof Enum<?> word ? word.name() : value.toString();
    }
}
