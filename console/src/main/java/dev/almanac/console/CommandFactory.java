package dev.almanac.console;

import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Creates commands and mixins; those that need it get the process environment. */
final class CommandFactory implements IFactory {
    private final IFactory others = CommandLine.defaultFactory();
    private final ProcessEnvironment process;

    CommandFactory(ProcessEnvironment process) {
        this.process = process;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        if (type == Output.class) {
            return type.cast(new Output(process));
        }
        if (type == ConnectionOptions.class) {
            return type.cast(new ConnectionOptions(process));
        }
        if (type == Confirmation.class) {
            return type.cast(new Confirmation(process));
        }
        if (type == RunCommand.class) {
            return type.cast(new RunCommand(process));
        }
        return others.create(type);
    }
}
