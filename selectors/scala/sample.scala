package acme.shop

import java.time.Instant
import scala.collection.mutable
import scala.util.{Failure, Success => Ok, Try}
import scala.concurrent.ExecutionContext.Implicits._
import acme.stock.{given, *}
import acme.prices as costs

/** What has an area.
  *
  * @deprecated use [[Figure]]
  */
sealed trait Shape extends Product with Serializable {
  type Unit <: AnyRef
  val name: String
  var scale: Double
  def area: Double
  private[shop] def grow(by: Double, times: Int = 1)(implicit clock: Clock): Double = area * by
}

/** One thing to sell. */
@deprecated("use Goods", "1.1")
final case class Item[A <: Shape: Ordering, +B](
    name: String,
    private val owner: String = "nobody",
    var tags: List[A]
) extends Priced(1)
    with Named {
  self: Stock =>

  def this(name: String) = this(name, "none", Nil)

  private var total = 0.0
  protected lazy val (low, high) = (1, 2)
  val first, second: Int = 3

  override def toString: String = s"$name costs ${total + 1}"

  def +(other: Item[A, B]): Item[A, B] = copy(name = name + other.name)

  def clear() { tags = Nil }

  @tailrec
  private def factorial(n: Int, product: BigInt = 1): BigInt =
    if (n <= 1) product else factorial(n - 1, n * product)

  implicit class Labels(text: String) {
    def label = text.trim
  }
}

object Item extends App {
  val Limit = 10
  type Pair[A] = (A, A)

  def apply(name: String): Item[Shape, Int] = new Item(name)

  def main(args: Array[String]): Unit = {
    val xs = for {
      a <- args.toList
      b = a.length if b > 1
    } yield (a, b)
    var count = 0
    while (count < 3) {
      count += 1
    }
    do { count -= 1 } while (count > 0)
    for (i <- 1 to 10; j <- 0 until i) println(i * j)
    val double = (x: Int) => x * 2
    xs.map(_._2).foreach { x => println(double(x)) }
    xs.collect { case (a, b) if b > 2 => a }
    xs foreach println
    val parsed = try Integer.parseInt(args(0)) catch {
      case error: NumberFormatException => throw new PriceError("bad", error)
      case _: Exception                 => 0
    } finally {
      close()
    }
    parsed match {
      case 0 | 1          => "low"
      case n if n > Limit => """much "more" """
      case other @ _      => 'x'.toString
    }
    val shape = new Shape with Named {
      def area = 1.5
    }
    costs.round[Int](1, mode = 2)(3)
    shape.scale = 5
    def inner(x: Int) = -x
    val (left, Some(right)) = (null, Option(()))
    if (left == null) return
    else if (!inner(1).isValidInt) assert(true)
    val action = inner _
    (count: Int).toString
  }
}

case object Empty extends Shape

abstract class Priced private (protected val price: Int) {
  protected def rate: Double
}

class PriceError(message: String, cause: Throwable) extends RuntimeException(message, cause)

package object prices {
  val Tax = 0.2
}

enum Colour(val rgb: Int) derives CanEqual {
  case Red extends Colour(0xff0000)
  case Green, Blue
  case Mixed(red: Int, green: Int)

  def hex: String = rgb.toHexString
}

trait Show[A]:
  def show(value: A): String
  extension (value: A) def shown: String = show(value)
end Show

given intShow: Show[Int] with
  def show(value: Int): String = value.toString

given Show[String] = value => value

given listShow[A](using inner: Show[A]): Show[List[A]] with
  def show(values: List[A]): String =
    values.map(inner.show).mkString(", ")

extension (text: String)
  def hello: String = s"hello $text"
  def twice(sep: String): String =
    text + sep + text

opaque type Id = Long
type Names[A] = List[A]

open class Base
inline def twice[A](inline body: => A): A =
  body
  body

export costs.{round, tax}

val started = Instant.now

def find(items: List[Item[Shape, Int]], key: String)(using clock: Clock): Option[Item[Shape, Int]] =
  val wanted = key.toLowerCase
  if items.isEmpty then
    None
  else
    items.find: item =>
      item.name == wanted

def depth(category: Category): Int =
  category match
    case Root => 0
    case _    => depth(category.parent) + 1

@main def run(names: String*): Unit =
  for name <- names do println(name)
  while Random.nextBoolean do println("again")
  try risky()
  catch case error: Exception => println(error)

class ItemSpec extends AnyFunSuite {
  test("an item has no tags") {
    assert(Item("a").tags.isEmpty)
  }

  @Test def empty(): Unit = {}
}

package stock {
  class Level
}
