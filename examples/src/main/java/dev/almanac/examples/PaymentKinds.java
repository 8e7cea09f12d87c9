package dev.almanac.examples;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.almanac.model.SchedulingCommand;

/** A command with a part that is one of several kinds. */
public final class PaymentKinds {
    private PaymentKinds() {}

    // snippet: kinds
    /** How an invoice is paid; the body keeps the short name of the kind, never that of a class. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Transfer.class, name = "transfer")
    })
    public sealed interface Payment {}

    /** By card. */
    public record Card(String token) implements Payment {}

    /** By transfer. */
    public record Transfer(String iban) implements Payment {}

    /** The command, of one type for all kinds of payments. */
    public record Collect(String invoice, Payment payment) implements SchedulingCommand {}
    // end
}
