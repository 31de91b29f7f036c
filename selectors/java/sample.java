/*
 * A small shop: every construct that the data of Java speaks of, once.
 */
package org.example.shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.*;
import java.util.function.Function;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Marks what may be sold. */
@interface Priced {
    String currency() default "EUR";

    int[] rates() default {1, 2};
}

/** Says what a price is. */
@FunctionalInterface
interface Price<T> extends Comparable<Price<T>> {
    int LIMIT = 10;

    double of(T item, int amount);

    default Price<T> twice() {
        return (item, amount) -> of(item, amount) * 2;
    }

    static <T> Price<T> free() {
        return (T item, int amount) -> 0.0;
    }

    @Override
    default int compareTo(Price<T> other) {
        return 0;
    }
}

sealed interface Shape permits Circle, Square {}

record Circle(double radius) implements Shape {
    static int count;

    Circle {
        if (radius < 0) throw new IllegalArgumentException("radius");
    }

    double area() {
        return Math.PI * radius * radius;
    }
}

record Square(double side, String... labels) implements Shape {}

enum Colour implements Supplier<String> {
    RED("red") {
        @Override
        public String get() {
            return "warm";
        }
    },
    @Deprecated
    GREEN("green"),
    BLUE;

    private final String label;

    Colour(String label) {
        this.label = label;
    }

    Colour() {
        this("none");
    }

    public String get() {
        return label;
    }
}

class PriceException extends RuntimeException {
    PriceException(String message, Throwable cause) {
        super(message, cause);
    }
}

/**
 * One thing to sell.
 *
 * @deprecated use {@link Shop}
 */
@Deprecated(since = "1.2", forRemoval = true)
@Component
public abstract class Shop<T extends Item & Comparable<T>, E> extends Base<T> implements Iterable<T>, AutoCloseable {
    /** How many are open. */
    public static final int MAX_OPEN = 0x1F, MIN_OPEN = 0b11;

    private static final long serialVersionUID = 1_000L;
    protected final Map<String, List<T>> items = new HashMap<>();
    private transient volatile String owner;
    double rate = 2e-1, precise = 0x1p3;
    char letter = 'x';
    int octal = 017;

    static {
        System.loadLibrary("shop");
    }

    {
        owner = "nobody";
    }

    /** Opens the shop. */
    public Shop(String owner, final int amount) throws IOException {
        super(owner);
        this.owner = owner;
        this.count += amount;
    }

    public String getOwner() {
        return this.owner;
    }

    public void setOwner(String owner) {
        this.owner = owner;
    }

    /** Finds one. */
    public <K> Optional<T> find(K key, @Priced(currency = "USD") T other, int... levels) throws IOException, PriceException {
        // Comments belong to what stands below them.
        T found = null, best;
        for (Map.Entry<String, List<T>> entry : items.entrySet()) {
            if (entry.getKey().equals(key) && !levels.getClass().isArray()) {
                continue;
            } else if (key instanceof String text && text.length() > 3) {
                found = (T) other;
            } else {
                break;
            }
        }
        outer:
        for (int i = 0, j = 1; i < levels.length; i++, j += 2) {
            levels[i] = -levels[j] + ~i;
            while (true) break outer;
        }
        do {
            rate--;
        } while (rate > 0);
        assert found != null : "nothing found";
        return Optional.ofNullable(found).map(Item::self).filter(x -> x.equals(other));
    }

    abstract void refund(T item);

    protected native int weigh(T item);

    public synchronized void restock(Iterator<? super T> source) {
        synchronized (this) {
            source.forEachRemaining((a) -> items.put(a.name(), new ArrayList<>(List.of(a))));
        }
        Runnable task = new Runnable() {
            private int runs;

            @Override
            public void run() {
                runs++;
            }
        };
        task.run();
        class Order {
            void send() {}
        }
        new Order().send();
    }

    private static int depth(Category category) {
        return category == null ? 0 : depth(category.parent) + 1;
    }

    @SafeVarargs
    static <A> A[] all(A... values) {
        int[][] table = {{1, 2}, {3}};
        int[] sizes = new int[] {table[0][1], 4};
        return values;
    }

    String load(String path) throws IOException {
        try (BufferedReader reader = open(path); var lock = lock()) {
            return reader.readLine();
        } catch (IllegalStateException | IOException error) {
            throw new PriceException("can't read " + path, error);
        } catch (Exception ignored) {
        } finally {
            super.close();
        }
        try {
            return null;
        } finally {
            done();
        }
    }

    int handle(Object command, Colour colour) {
        switch (colour) {
            case RED:
            case GREEN:
                return 1;
            default:
                break;
        }
        return switch (command) {
            case String text when text.isEmpty() -> 0;
            case Circle(double radius) -> (int) radius;
            case Integer number -> {
                int twice = number * 2;
                yield twice;
            }
            default -> throw new IllegalStateException();
        };
    }

    String text() {
        var block = """
            Dear "customer",
              bye
            """;
        Function<Integer, Integer> next = x -> x + 1;
        return block + Shop.class.getName() + true + false;
    }

    public static void main(String[] arguments) {
        System.out.println("open");
    }

    @Override
    public boolean equals(Object other) {
        return other == this;
    }
}

class ShopTest {
    private Shop<?, ?> shop;

    @BeforeEach
    void open(ShopTest this) {
        shop = null;
    }

    @Test
    void isEmpty() {
        assertEquals(0, shop.items.size());
    }
}
