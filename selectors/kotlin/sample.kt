#!/usr/bin/env kotlin
// A small shop: every construct that the data of Kotlin speaks of, once.

@file:JvmName("Shops")

package org.example.shop

import java.io.File
import java.util.*
import kotlin.collections.List as Items
import kotlinx.coroutines.delay

/** The most that may be open. */
const val MAX_OPEN = 0x1F
val rates: Map<String, Double> = mapOf("low" to 0.05, "high" to 2e-1)
var open: Int = 0b11
private lateinit var owner: String
val (first, second) = Pair(1, 2)
val String.initial: Char get() = this[0]

typealias Price<T> = (item: T, amount: Int) -> Double

/** Marks what may be sold. */
@Target(AnnotationTarget.CLASS, AnnotationTarget.FUNCTION)
@Retention(AnnotationRetention.RUNTIME)
annotation class Priced(val currency: String = "EUR", val rates: IntArray = [1, 2])

fun interface Weigher {
    fun weigh(item: Item): Int
}

interface Store<out T : Any> {
    val size: Int
    fun find(name: String): T?
    fun isEmpty(): Boolean = size == 0
}

sealed interface Shape {
    @Serializable
    data class Circle(val radius: Double) : Shape

    data object Nothing : Shape
}

enum class Colour(val label: String) : Comparable<Colour> {
    RED("red") {
        override fun warm() = true
    },
    @Deprecated("use RED")
    GREEN("green"),
    BLUE("blue");

    abstract fun warm(): Boolean

    companion object {
        fun of(label: String): Colour = valueOf(label.uppercase())
    }
}

class PriceException(message: String, cause: Throwable? = null) : RuntimeException(message, cause)

@JvmInline
value class Size(val width: Int)

data class Item(val name: String, var price: Double = 1.5, private val tags: List<String> = emptyList())

object Registry : Store<Item> by Cache {
    @JvmStatic
    fun register(item: Item) {
        println("registered $item")
    }
}

/**
 * Sells things.
 */
@Priced(currency = "USD")
@Deprecated("use Market", ReplaceWith("Market"))
abstract class Shop<T>(
    protected val items: MutableList<T>,
    owner: String,
    vararg levels: Int,
) : Market<T>(owner), Store<T>, Weigher by weigher where T : Item, T : Comparable<T> {
    /** How many are open. */
    internal var count = 1_000L
        private set(value) {
            if (value >= 0) field = value
        }
    val label: String
        get() = "$owner sells ${items.size}"
    override val size: Int
        get() {
            return items.size
        }
    val slug by lazy { label.lowercase() }
    open val letter = 'x'
    lateinit var log: File

    init {
        require(levels.isNotEmpty()) { "no levels" }
    }

    constructor(owner: String) : this(mutableListOf(), owner, 1) {
        count += 1
    }

    protected constructor() : super("nobody")

    abstract fun refund(item: T)

    /** Sells one. */
    @Throws(PriceException::class)
    override suspend fun <K : Any> sell(key: K, amount: Int = 1, vararg others: T, done: (Int) -> Unit): Items<T> {
        // Comments belong to what stands below them.
        val found = items.firstOrNull { it.name == key }
        val (name, price) = found ?: return emptyList()
        for ((index, other) in others.withIndex()) {
            if (index > amount && other !in items) {
                continue
            } else if (other is Item) {
                done(index)
            } else {
                break
            }
        }
        outer@ for (level in 0..10 step 2) {
            count -= level
            this.log.appendText("a" + -level)
        }
        while (!items.isEmpty()) {
            items.removeAt(0)
        }
        do {
            count--
        } while (count > 0)
        delay(100)
        items.map(Item::name).filter { text -> text.length > 3 }.forEach(::println)
        register(
            found as T,
            amount = amount,
        ) { (left, right), rest: Int ->
            left + right
        }
        val grid = arrayOf(*others)
        grid[0] = found
        log!!.delete()
        log?.exists()
        return when (amount) {
            1, 2 -> items
            in 3..5 -> listOf(found)
            is Int -> items.also { print(it) }
            else -> throw IllegalStateException()
        }
    }

    inline fun <reified R> typed(noinline make: () -> R): R = make()

    protected open fun walk(depth: Int): Int {
        fun inner(level: Int): Int {
            return if (level > 0) inner(level - 1) else 0
        }
        class Order {
            fun send() = Unit
        }
        Order().send()
        return inner(depth)
    }

    fun load(path: String): String {
        val reader = object : Reader(path), AutoCloseable {
            var runs = 0

            override fun close() {
                runs++
            }
        }
        val add = fun(left: Int, right: Int): Int { return left + right }
        val text = try {
            reader.use { it.readText() }
        } catch (error: IllegalStateException) {
            throw PriceException("can't read $path", error)
        } catch (ignored: Exception) {
        } finally {
            add(1, 2)
        }
        return """
            Dear "customer",
              bye
        """.trimIndent() + text
    }

    final override fun toString(): String = "shop" + super.toString()

    inner class Shelf

    companion object {
        private const val SECRET = "x"
        fun empty(): Shop<Item>? = null
    }
}

fun String.shout(): String = uppercase() + "!"
infix fun Int.times(text: String): String = text.repeat(this)
operator fun Item.plus(other: Item) = copy(price = price + other.price)
tailrec fun depth(category: Category?, sum: Int = 0): Int = if (category == null) sum else depth(category.parent, sum + 1)
external fun weigh(item: Item): Int
expect fun platform(): String
actual fun platform(): String = "jvm"
internal val twice = { amount: Int -> amount * 2 }

@Composable
fun Screen(modifier: Modifier) {
    Column(modifier) {
        Text("hello")
    }
}

class ShopTest {
    @BeforeTest
    fun open() {}

    @Test
    fun isEmpty() {
        assertEquals(0, 1)
    }
}

fun main(arguments: Array<String>) {
    println(arguments.size)
}
