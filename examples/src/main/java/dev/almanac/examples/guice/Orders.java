package dev.almanac.examples.guice;

import com.google.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The data of the service: orders, and letters to customers. Thread-safe. */
@Singleton
final class Orders {
    private final Set<String> paid = ConcurrentHashMap.newKeySet();
    private final List<String> letters = new CopyOnWriteArrayList<>();

    void pay(String order) {
        paid.add(order);
    }

    boolean isPaid(String order) {
        return paid.contains(order);
    }

    void write(String letter) {
        letters.add(letter);
    }

    List<String> letters() {
        return letters;
    }
}
