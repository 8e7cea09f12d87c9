package dev.almanac.helper;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.SchedulingCommand;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The command types of a service by name and by class. Unknown names never instantiate anything. Immutable and
 * thread-safe.
 */
public final class CommandRegistry {
    /** In limits and defaults of types: all types. */
    public static final String ALL = "*";

    private final Map<String, CommandType<?>> byName;
    private final Map<Class<?>, CommandType<?>> byClass;
    private final Map<String, TypeDefaults> defaults;
    private final CommandCodec codec;

    /** @throws IllegalArgumentException if a name or a class is registered twice */
    public CommandRegistry(Collection<CommandType<?>> types, CommandCodec codec) {
        this(types, Map.of(), codec);
    }

    /**
     * @param defaults for jobs of a type by its name, in place of those it was registered with; {@link #ALL} = for all types
     * @throws IllegalArgumentException if a name or a class is registered twice
     */
    public CommandRegistry(Collection<CommandType<?>> types, Map<String, TypeDefaults> defaults, CommandCodec codec) {
        this.defaults = Map.copyOf(defaults);
        this.codec = codec;
        this.byName = new LinkedHashMap<>();
        for (CommandType<?> type : types) {
            register(type.name(), type);
            type.aliases().forEach(alias -> register(alias, type));
        }
        try {
            this.byClass = types.stream().collect(Collectors.toUnmodifiableMap(CommandType::type, t -> t));
        } catch (IllegalStateException twice) {
            throw new IllegalArgumentException("a command class is registered under two names: " + twice.getMessage());
        }
    }

    private void register(String name, CommandType<?> type) {
        if (byName.put(name, type) != null) {
            throw new IllegalArgumentException("command type '" + name + "' is registered twice");
        }
    }

    /** All registered names, former ones included. */
    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }

    /** The names of the registered classes that are, or extend, one of those; former names included. */
    public Set<String> names(Collection<? extends Class<?>> types) {
        return byName.entrySet().stream()
                .filter(known -> types.stream()
                        .anyMatch(type -> type.isAssignableFrom(known.getValue().type())))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The command as it is stored. An encoded command is returned as it is.
     *
     * @throws IllegalArgumentException if its class is not registered, or its body cannot be encoded
     */
    public EncodedCommand encode(SchedulingCommand command) {
        if (command instanceof EncodedCommand encoded) {
            return encoded;
        }
        CommandType<?> type = byClass.get(command.getClass());
        if (type == null) {
            throw new IllegalArgumentException("is of class "
                    + command.getClass().getName()
                    + ", which is not registered; add command(\"a-stable-name\", 1, "
                    + command.getClass().getSimpleName() + ".class) to the scheduler; known are " + byName.keySet());
        }
        return new EncodedCommand(type.name(), type.version(), codec.encode(command));
    }

    /** Defaults for jobs that are stored under this name: its own, and those of all types for what they leave open. */
    public TypeDefaults defaults(String name) {
        CommandType<?> type = byName.get(name);
        TypeDefaults registered = type == null ? TypeDefaults.NONE : type.defaults();
        TypeDefaults own = defaults.getOrDefault(name, registered);
        return own.or(defaults.getOrDefault(ALL, TypeDefaults.NONE));
    }

    /** Whether this registry has the type, in this version or a newer one. */
    public boolean knows(EncodedCommand encoded) {
        CommandType<?> type = byName.get(encoded.type());
        return type != null && encoded.version() <= type.version();
    }

    /**
     * The command object of the service, converted to the current version.
     *
     * @throws IllegalArgumentException if the type is not registered, the version is newer than the registered one,
     *     or the body does not fit; codec and upcasters may throw other exceptions and Errors
     */
    public SchedulingCommand decode(EncodedCommand encoded) {
        CommandType<?> type = byName.get(encoded.type());
        if (type == null) {
            throw new IllegalArgumentException("command type '" + encoded.type() + "' is not registered");
        }
        if (encoded.version() > type.version()) {
            throw new IllegalArgumentException("command type '" + encoded.type() + "' is stored in version "
                    + encoded.version() + ", this node has version " + type.version());
        }
        return codec.decode(type.upcast(encoded.body(), encoded.version()), type.type());
    }
}
