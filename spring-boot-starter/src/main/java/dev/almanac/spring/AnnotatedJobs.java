package dev.almanac.spring;

import dev.almanac.SchedulerBuilder;
import dev.almanac.helper.CommandCodec;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FirstFire;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Problem;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.text.Printable;
import dev.almanac.time.CronDialect;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The methods with {@link AlmanacJob} among the application's beans: what they declare, and how they are called. Each job
 * has a command type of its own, {@code method.KEY}, so that a node without the method does not claim it. Immutable.
 */
final class AnnotatedJobs {
    /** The command types of methods begin with it. */
    static final String TYPE = "method";

    private static final int LONGEST_TYPE = 100;
    /** So much of a key names its job in a message. */
    private static final int LONGEST_KEY = 80;

    private static final String RULE = "S10";

    /** The attributes of which a method needs exactly one. */
    private static final String SCHEDULES = "cron, fixedRate, fixedDelay";

    private static final String NOT_AWAITED =
            "cannot be waited for; return a CompletionStage, or nothing once the work is done";

    private static final String NOT_SHOWN = "cannot be called through its proxy: ";

    /**
     * A call of the method that declares a job.
     *
     * @param job the key
     */
    record MethodCall(String job) implements SchedulingCommand {}

    /**
     * A method, and the job of its annotation, still without command and beginning.
     *
     * @param method as it can be called, by what is known of the bean before it is made
     * @param place bean, class, method and key, for people
     * @param said what is wrong with the annotation by itself
     * @param schedule the attribute that has the schedule, or {@link #SCHEDULES}
     */
    private record Declared(
            String bean,
            Method method,
            String place,
            List<Problem> said,
            String key,
            String schedule,
            JobSpecification job,
            @Nullable Duration initialDelay) {
        /**
         * The method as it can be called on the bean, whose proxy may be known only once the bean is made.
         *
         * @throws IllegalStateException if the proxy does not show it
         */
        Method on(Object made) {
            try {
                return AopUtils.selectInvocableMethod(method, made.getClass());
            } catch (IllegalStateException e) {
                throw new IllegalStateException(
                        place + ": method '" + method.getName() + "' " + NOT_SHOWN + e.getMessage());
            }
        }
    }

    private final ConfigurableListableBeanFactory beans;
    private final List<Declared> all = new ArrayList<>();
    private final Map<String, Declared> byKey = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    /** Reads the annotations of all beans; makes none of them. From then on a bean with others cannot be made. */
    AnnotatedJobs(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        for (String bean : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(bean) ? null : AutoProxyUtils.determineTargetClass(beans, bean);
            if (type != null && AnnotationUtils.isCandidateClass(type, AlmanacJob.class)) {
                read(bean, type);
            }
        }
        beans.addBeanPostProcessor(new UnknownMethods());
    }

    /** In the order of their names, so that the problems have an order. */
    private void read(String bean, Class<?> type) {
        methods(type).entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().toString()))
                .forEach(entry -> new Reading(bean, type, entry.getKey(), entry.getValue()).read());
    }

    private static Map<Method, AlmanacJob> methods(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<AlmanacJob>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, AlmanacJob.class));
    }

    /** Where a job is declared, or was meant to be, for people. */
    List<String> places() {
        return Stream.concat(
                        all.stream().map(Declared::place), problems.stream().map(Problem::field))
                .toList();
    }

    /**
     * Beans of the application that are not made, and whose class may have further methods: an interface or an abstract
     * class is all that is known of them. Those of an auto-configuration are not the application's.
     */
    List<String> hidden() {
        return Arrays.stream(beans.getBeanNamesForType(Object.class, true, false))
                .filter(bean -> beans.containsBeanDefinition(bean) && !beans.containsSingleton(bean))
                .filter(bean -> !beans.isFactoryBean(bean) && isOfApplication(beans.getBeanDefinition(bean)))
                .filter(bean -> isOpen(beans.getType(bean, false)))
                .map(bean -> ScopedProxyUtils.isScopedTarget(bean) ? ScopedProxyUtils.getOriginalBeanName(bean) : bean)
                .toList();
    }

    private static boolean isOpen(@Nullable Class<?> type) {
        return type == null || Modifier.isAbstract(type.getModifiers()) && !type.isArray();
    }

    /** Whether the application declares the bean, and no auto-configuration does. */
    boolean isOfApplication(String bean) {
        return !beans.containsBeanDefinition(bean) || isOfApplication(beans.getBeanDefinition(bean));
    }

    private boolean isOfApplication(BeanDefinition definition) {
        if (!(definition instanceof AnnotatedBeanDefinition annotated)) {
            return true;
        }
        String maker = annotated.getMetadata().getClassName();
        return !maker.startsWith("org.springframework.")
                && Stream.<Class<?>>iterate(
                                ClassUtils.resolveClassName(maker, beans.getBeanClassLoader()),
                                Objects::nonNull,
                                Class::getEnclosingClass)
                        .noneMatch(type -> AnnotatedElementUtils.hasAnnotation(type, AutoConfiguration.class));
    }

    /**
     * Refuses a bean whose methods could not be read before it was made, since their jobs are not declared: its class was
     * hidden behind the type of its definition. So is one whose proxy does not show a method that declares a job.
     */
    private final class UnknownMethods implements BeanPostProcessor {
        private final Set<Class<?>> known = ConcurrentHashMap.newKeySet();

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
            if (!known.contains(type) && AnnotationUtils.isCandidateClass(type, AlmanacJob.class)) {
                methods(type).forEach((method, job) -> new Reading(name, type, method, job).refuseUnknown());
                known.add(type);
            }
            // a factory has the name of what it makes, which comes after it
            if (!(bean instanceof FactoryBean)) {
                all.stream().filter(declared -> declared.bean().equals(name)).forEach(declared -> declared.on(bean));
            }
            return bean;
        }
    }

    /** What ends after the method has returned, and cannot be waited for. */
    private static boolean isOutOfSight(Class<?> returned) {
        return !CompletionStage.class.isAssignableFrom(returned)
                && (Future.class.isAssignableFrom(returned)
                        || Flow.Publisher.class.isAssignableFrom(returned)
                        || ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) != null);
    }

    /** The texts of one annotation. */
    private final class Reading {
        private final String bean;
        private final Class<?> type;
        private final Method method;
        private final AlmanacJob job;
        private final String place;
        private final List<Problem> said = new ArrayList<>();

        Reading(String bean, Class<?> type, Method method, AlmanacJob job) {
            this.bean = bean;
            this.type = type;
            this.method = method;
            this.job = job;
            this.place = "bean '" + bean + "', " + type.getSimpleName() + "." + method.getName()
                    + (job.key().isBlank() ? "" : ", job '" + Printable.cut(resolvedOr(job.key()), LONGEST_KEY) + "'");
        }

        private String resolvedOr(String written) {
            try {
                return resolved(written);
            } catch (IllegalArgumentException e) {
                return written;
            }
        }

        private void problem(String attribute, @Nullable String value, String advice) {
            said.add(new Problem(place + ": " + attribute, value, RULE, advice));
        }

        void refuseUnknown() {
            String key = text("key", job.key());
            if (!byKey.containsKey(key) && !text("cron", job.cron()).equals(AlmanacJob.CRON_DISABLED)) {
                throw new IllegalStateException(place + " was not known when the scheduler was made: return "
                        + type.getSimpleName() + " from its @Bean method");
            }
        }

        void read() {
            String cron = text("cron", job.cron());
            String rateText = text("fixedRateString", job.fixedRateString());
            String delayText = text("fixedDelayString", job.fixedDelayString());
            Duration rate = duration("fixedRate", job.fixedRate(), rateText);
            Duration delay = duration("fixedDelay", job.fixedDelay(), delayText);
            Duration initial =
                    duration("initialDelay", job.initialDelay(), text("initialDelayString", job.initialDelayString()));
            List<String> schedules = new ArrayList<>();
            if (!cron.isEmpty()) {
                schedules.add("cron");
            }
            if (isSet(job.fixedRate(), rateText)) {
                schedules.add("fixedRate");
            }
            if (isSet(job.fixedDelay(), delayText)) {
                schedules.add("fixedDelay");
            }
            if (schedules.size() != 1) {
                problem(
                        SCHEDULES,
                        null,
                        (schedules.isEmpty() ? "are all missing" : "are set, " + schedules.size() + " of them")
                                + "; give exactly one");
            }
            if (initial != null && !cron.isEmpty()) {
                problem("initialDelay", initial.toString(), "is for fixedRate and fixedDelay; leave it out with cron");
            }
            String key = text("key", job.key());
            JobSpecificationBuilder builder = JobSpecification.builder()
                    .jobSpecificationKey(key)
                    .calendars(Arrays.stream(job.calendars())
                            .map(name -> text("calendars", name))
                            .filter(name -> !name.isEmpty())
                            .toList())
                    .missedFirePolicy(missed(text("missedFires", job.missedFires())))
                    .retryPolicy(given("retry", job.retry()))
                    .zoneId(given("zone", job.zone()));
            if (rate != null) {
                builder.every(rate);
            } else if (delay != null) {
                builder.everyAfterEnd(delay);
            } else if (!cron.isEmpty()) {
                builder.schedulingSpecification(cron).cronDialect(CronDialect.SPRING);
            }
            // without a schedule it is checked all the same, so that the problems of the other texts are said, too
            boolean atOnce = initial == null || initial.isZero();
            if (atOnce && (rate != null || delay != null)) {
                builder.firstFire(FirstFire.NOW);
            }
            Method callable = callable();
            if (!cron.equals(AlmanacJob.CRON_DISABLED)) {
                String schedule = schedules.size() == 1 ? schedules.get(0) : SCHEDULES;
                Declared declared = new Declared(
                        bean, callable, place, said, key, schedule, builder.build(), atOnce ? null : initial);
                all.add(declared);
                byKey.putIfAbsent(key, declared);
            }
            problems.addAll(said);
        }

        /** @param text with its placeholders replaced */
        private boolean isSet(long number, String text) {
            return number >= 0 || !text.isEmpty();
        }

        private Method callable() {
            Class<?>[] parameters = method.getParameterTypes();
            if (parameters.length > 1 || parameters.length == 1 && parameters[0] != Execution.class) {
                problem("parameters", Arrays.toString(parameters), "cannot be given; take an Execution, or nothing");
            }
            Class<?> returned = method.getReturnType();
            boolean async = AnnotatedElementUtils.hasAnnotation(method, Async.class)
                    || AnnotatedElementUtils.hasAnnotation(type, Async.class);
            if (async && !CompletableFuture.class.isAssignableFrom(returned)) {
                problem("@Async", null, "ends the run before its work; take it away, or return a CompletableFuture");
            } else if (isOutOfSight(returned)) {
                problem("return type", returned.getSimpleName(), NOT_AWAITED);
            }
            Class<?> exposed = beans.getType(bean, false);
            try {
                return AopUtils.selectInvocableMethod(method, exposed == null ? method.getDeclaringClass() : exposed);
            } catch (IllegalStateException e) {
                problem("method", method.getName(), NOT_SHOWN + e.getMessage());
                return method;
            }
        }

        private String text(String attribute, String written) {
            try {
                return resolved(written);
            } catch (IllegalArgumentException e) {
                problem(attribute, written, "cannot be resolved: " + e.getMessage());
                return written;
            }
        }

        private String resolved(String written) {
            String resolved = beans.resolveEmbeddedValue(written);
            return resolved == null ? "" : resolved.strip();
        }

        private @Nullable String given(String attribute, String written) {
            String text = text(attribute, written);
            return text.isEmpty() ? null : text;
        }

        private @Nullable MissedFirePolicy missed(String text) {
            try {
                return text.isEmpty() ? MissedFirePolicy.RUN_LATEST : MissedFirePolicy.parse(text);
            } catch (IllegalArgumentException e) {
                problem("missedFires", text, "is none of SKIP, RUN_LATEST, RUN_ALL and RUN_ALL(n), n from 1 to 10000");
                return null;
            }
        }

        /** @param text with its placeholders replaced */
        private @Nullable Duration duration(String attribute, long number, String text) {
            if (number >= 0 && !text.isEmpty()) {
                problem(attribute, String.valueOf(number), "and " + attribute + "String are both set; give one");
            }
            if (!isSet(number, text)) {
                return null;
            }
            try {
                Duration duration = text.isEmpty()
                        ? Duration.of(number, job.timeUnit().toChronoUnit())
                        : DurationFormatterUtils.detectAndParse(
                                text,
                                DurationFormat.Unit.fromChronoUnit(
                                        job.timeUnit().toChronoUnit()));
                if (!duration.isNegative()) {
                    return duration;
                }
            } catch (IllegalArgumentException | ArithmeticException e) {
                // said below
            }
            String given = text.isEmpty() ? number + " " + job.timeUnit() : text;
            problem(attribute, given, "is no duration of zero or more; write a number, 10m or PT10M");
            return null;
        }
    }

    /** What is wrong with the annotations by themselves; a specification that they make is still to be checked. */
    List<Problem> problems() {
        return List.copyOf(problems);
    }

    /** Of its own for each key: a key that is no type itself is shortened, and told apart by its hash. */
    private static String type(String key) {
        String name = TYPE + "." + key;
        if (name.length() <= LONGEST_TYPE && name.matches("[A-Za-z0-9._-]*")) {
            return name;
        }
        String hash =
                UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString();
        String readable = name.replaceAll("[^A-Za-z0-9._-]", "-");
        return readable.substring(0, Math.min(readable.length(), LONGEST_TYPE - 1 - hash.length())) + "-" + hash;
    }

    /** Whether a command of this type calls a method. */
    static boolean isOfMethod(String commandType) {
        return commandType.startsWith(TYPE + ".");
    }

    /** Registers the commands of the methods, and the helper that calls them. */
    void applyTo(SchedulerBuilder builder) {
        // one of them has the others as aliases: a name of all methods would be a type that no job has
        CommandType<MethodCall> types = null;
        for (String key : byKey.keySet()) {
            String name = type(key);
            types = types == null ? CommandType.of(name, 1, MethodCall.class) : types.alias(name);
        }
        if (types != null) {
            builder.command(types, SchedulingHelper.ofAsync(MethodCall.class, this::call));
        }
    }

    private CompletionStage<?> call(MethodCall command, Execution run) throws Exception {
        Declared declared = byKey.get(command.job());
        if (declared == null) {
            // a command that was written by hand
            throw new IllegalStateException("no method with @AlmanacJob has the key '" + command.job() + "'");
        }
        Object bean = beans.getBean(declared.bean());
        Method method = declared.on(bean);
        ReflectionUtils.makeAccessible(method);
        try {
            Object result = method.getParameterCount() == 0 ? method.invoke(bean) : method.invoke(bean, run);
            if (result != null && isOutOfSight(result.getClass())) {
                throw new IllegalStateException(declared.place() + ": what it returned, a "
                        + result.getClass().getName() + ", " + NOT_AWAITED);
            }
            return result instanceof CompletionStage<?> stage ? stage : CompletableFuture.completedFuture(null);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getTargetException();
            if (cause instanceof Error error) {
                throw error;
            }
            throw cause instanceof Exception exception ? exception : new UndeclaredThrowableException(cause);
        }
    }

    /**
     * What the annotations declare; of several methods with one key, which is refused, each of them.
     *
     * @param codec of the store
     */
    List<DeclaredJobs.Declaration> declarations(CommandCodec codec) {
        return all.stream()
                .map(declared -> new DeclaredJobs.Declaration(
                        declared.place(),
                        Map.of(
                                "jobSpecificationKey", "key",
                                "schedulingSpecification", declared.schedule(),
                                "zoneId", "zone",
                                "retryPolicy", "retry",
                                "missedFirePolicy", "missedFires"),
                        declared.said(),
                        declared.job().toBuilder()
                                .triggerCommand(new EncodedCommand(
                                        type(declared.key()), 1, codec.encode(new MethodCall(declared.key()))))
                                .build(),
                        declared.initialDelay()))
                .toList();
    }
}
