package dev.almanac.mongo;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * A document that was read, without entries and names of its own. It becomes an ordinary one as soon as something else
 * is asked of it than its fields.
 */
final class FlatDocument extends Document {
    private static final long serialVersionUID = 1;

    private final transient Shape shape;
    private transient @Nullable Object @Nullable [] values;

    /** @param values as many as the shape has fields */
    FlatDocument(Shape shape, @Nullable Object[] values) {
        this.shape = shape;
        this.values = values;
    }

    @Override
    public @Nullable Object get(Object field) {
        @Nullable Object[] flat = values;
        if (flat == null) {
            return super.get(field);
        }
        int place = shape.place(field);
        return place < 0 ? null : flat[place];
    }

    @Override
    public <T> T get(Object field, Class<T> type) {
        return type.cast(get(field));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T get(Object field, T otherwise) {
        Object value = get(field);
        return value == null ? otherwise : (T) value;
    }

    @Override
    public boolean containsKey(Object field) {
        return values == null ? super.containsKey(field) : shape.place(field) >= 0;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super Object> action) {
        @Nullable Object[] flat = values;
        if (flat == null) {
            super.forEach(action);
            return;
        }
        String[] names = shape.names();
        for (int i = 0; i < flat.length; i++) {
            action.accept(names[i], flat[i]);
        }
    }

    private synchronized void unfold() {
        @Nullable Object[] flat = values;
        if (flat != null) {
            String[] names = shape.names();
            for (int i = 0; i < flat.length; i++) {
                super.put(names[i], flat[i]);
            }
            values = null;
        }
    }

    @Override
    public int size() {
        unfold();
        return super.size();
    }

    @Override
    public boolean isEmpty() {
        unfold();
        return super.isEmpty();
    }

    @Override
    public boolean containsValue(Object value) {
        unfold();
        return super.containsValue(value);
    }

    @Override
    public Object put(String field, Object value) {
        unfold();
        return super.put(field, value);
    }

    @Override
    public Document append(String field, Object value) {
        put(field, value);
        return this;
    }

    @Override
    public Object remove(Object field) {
        unfold();
        return super.remove(field);
    }

    @Override
    public void putAll(Map<? extends String, ?> fields) {
        unfold();
        super.putAll(fields);
    }

    @Override
    public void clear() {
        unfold();
        super.clear();
    }

    @Override
    public Set<String> keySet() {
        unfold();
        return super.keySet();
    }

    @Override
    public Collection<Object> values() {
        unfold();
        return super.values();
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        unfold();
        return super.entrySet();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Document document && entrySet().equals(document.entrySet());
    }

    @Override
    public int hashCode() {
        unfold();
        return super.hashCode();
    }

    @Override
    public String toString() {
        unfold();
        return super.toString();
    }

    /** Java's serialization knows no shapes. */
    private Object writeReplace() {
        return new Document(this);
    }
}
