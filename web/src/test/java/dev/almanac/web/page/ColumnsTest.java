package dev.almanac.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ColumnsTest {
    private record Row(String name, @Nullable Integer size) {}

    private static final Columns<Row> COLUMNS =
            new Columns<Row>().by("rows.name", Row::name).by("rows.size", Row::size);
    private static final Row B2 = new Row("b", 2);
    private static final Row A1 = new Row("a", 1);
    private static final Row C = new Row("c", null);
    private static final Row D1 = new Row("d", 1);
    private static final List<Row> READ = List.of(B2, C, D1, A1);

    @Test
    @DisplayName(
            "20: a table is sorted by a column, either way; rows that are equal there stay in the order of reading")
    void sorted() {
        assertThat(COLUMNS.sorted(READ, "rows.name")).containsExactly(A1, B2, C, D1);
        assertThat(COLUMNS.sorted(READ, "-rows.name")).containsExactly(D1, C, B2, A1);
        assertThat(COLUMNS.sorted(READ, "rows.size")).containsExactly(D1, A1, B2, C);
        assertThat(COLUMNS.sorted(READ, "-rows.size"))
                .as("what has no value comes last, either way")
                .containsExactly(B2, D1, A1, C);
    }

    @Test
    @DisplayName("20: what is no column of a table leaves it as it was read")
    void others() {
        assertThat(COLUMNS.sorted(READ, null)).isSameAs(READ);
        assertThat(COLUMNS.sorted(READ, "others.name")).isSameAs(READ);
        assertThat(COLUMNS.sorted(READ, "-")).isSameAs(READ);
    }
}
