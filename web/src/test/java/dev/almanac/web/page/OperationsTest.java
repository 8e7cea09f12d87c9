package dev.almanac.web.page;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.store.StoreException;
import dev.almanac.web.guard.Refusal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OperationsTest {
    private final Operations operations = new Operations(() -> 0);

    private Runnable sent(RuntimeException failure) {
        String id = operations.fresh("ann");
        return () -> operations.once(id, "ann", String.class, () -> {
            throw failure;
        });
    }

    @Test
    @DisplayName("console: a form whose change has failed is not told again that the database does not answer")
    void failed() {
        Runnable form = sent(new StoreException("lost", new IllegalStateException("planned")));
        assertThatThrownBy(form::run).isInstanceOf(StoreException.class);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(form::run)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("was sent before and failed; what it did is not known");
        }
    }

    @Test
    @DisplayName("console: an operation that was another change is refused, and not begun")
    void another() {
        String id = operations.fresh("ann");
        operations.once(id, "ann", String.class, () -> "done");
        assertThatThrownBy(() -> operations.once(id, "ann", Integer.class, () -> 1))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("sent before for another change");
    }

    @Test
    @DisplayName("console: a form that was refused is refused again, for the same reason")
    void refused() {
        Runnable form = sent(new IllegalArgumentException("wrong"));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(form::run)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("wrong");
        }
    }
}
