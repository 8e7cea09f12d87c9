package dev.almanac.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("One server for tests")
class MongoMemberTest {
    private static List<Integer> ports(int first) {
        AtomicInteger next = new AtomicInteger(first);
        return Stream.generate(() -> MongoMember.freePort(next)).limit(10).toList();
    }

    /** A process that asks for ports, says which it has got, and ends with its input. */
    public static void main(String[] first) throws IOException {
        System.out.println("ports " + ports(Integer.parseInt(first[0])));
        System.in.read();
    }

    @Test
    @DisplayName(
            "a port belongs to the process that asked first, also while no server has it, and is free after its end")
    void ports() throws Exception {
        int first = ThreadLocalRandom.current().nextInt(18_000);
        List<Integer> here = ports(first);
        assertThat(ports(first)).as("this process asks again").doesNotContainAnyElementsOf(here);
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MongoMemberTest.class.getName(),
                        String.valueOf(first))
                .redirectErrorStream(true)
                .start();
        List<Integer> there;
        try (BufferedReader out = process.inputReader()) {
            String told = out.lines()
                    .filter(line -> line.startsWith("ports ["))
                    .findFirst()
                    .orElseThrow();
            there = Arrays.stream(told.substring(7, told.length() - 1).split(", "))
                    .map(Integer::valueOf)
                    .toList();
            assertThat(there).as("another one asks").hasSize(10).doesNotContainAnyElementsOf(here);
        } finally {
            process.destroyForcibly();
        }
        process.onExit().get();
        assertThat(ports(first)).as("its end").containsAnyElementsOf(there);
    }
}
