// A small shop: every construct that the data of C# speaks of, once.
#nullable enable
#define FAST
extern alias Old;

using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using static System.Math;
using Stock = Example.Stock.Levels<int>;
global using Example.Errors;

[assembly: CLSCompliant(true)]

Console.WriteLine("open");
int Twice(int amount) => amount * 2;

namespace Example.Shops
{
    /// <summary>Says what a price is.</summary>
    public delegate double Price<in T>(T item, params int[] levels) where T : class;

    public interface IPriced<T>
    {
        double Price { get; }
        void Refund(T item);
        int Weigh() => 1;
    }

    [Flags]
    public enum Colours : byte
    {
        None = 0,
        [Obsolete] Red = 1 << 0,
        Green,
    }

    public readonly struct Point
    {
        public readonly int X, Y;

        public Point(int x, int y) => (X, Y) = (x, y);

        public static Point operator +(Point a, Point b) => new(a.X + b.X, a.Y + b.Y);

        public static bool operator ==(Point a, Point b) { return a.X == b.X; }

        public static bool operator !=(Point a, Point b) => !(a == b);

        public static implicit operator int(Point point) => point.X;

        public static explicit operator Point(int x) => new Point(x, 0);
    }

    public record Item(string Name, decimal Cost = 1.5m);

    public record struct Size(int Width)
    {
        public required int Height { get; init; }
    }

    public class PriceException : Exception
    {
        public PriceException(string message, Exception inner) : base(message, inner) { }

        public PriceException() : this("none", null) { }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class PricedAttribute : Attribute { }

    /// <summary>Sells things.</summary>
    /// <remarks>Opened once.</remarks>
    [Serializable, Priced]
    [Obsolete("use Market")]
    public abstract partial class Shop<T, E>(string owner) : Market<T>(owner), IPriced<T>, IDisposable
        where T : class, new()
        where E : struct
    {
        /// <summary>How many may be open.</summary>
        public const int MaxOpen = 0x1F, MinOpen = 0b11;

        private static readonly Dictionary<string, List<T>> items = new() { ["a"] = new List<T>() };
        protected internal volatile bool open;
        internal new int count = 1_000;
        private protected double rate = 2e-1;
        char letter = 'x';

        public event EventHandler? Opened, Closed;

        public event EventHandler Sold
        {
            add { handlers.Add(value); }
            remove => handlers.Remove(value);
        }

        static Shop()
        {
            Total = 0;
        }

        protected Shop(int count, string owner = "nobody") : base(owner)
        {
            this.count = count;
            this.count += 1;
        }

        ~Shop()
        {
            Dispose();
        }

        public static int Total { get; private set; }

        public string Label => $"{owner} sells {items.Count:N0}";

        public virtual string Owner
        {
            get { return owner; }
            set
            {
                if (value is null) throw new ArgumentNullException(nameof(value));
                owner = value;
            }
        }

        double IPriced<T>.Price => rate;

        public T this[int index, string key]
        {
            get => items[key][index];
            set => items[key][index] = value;
        }

        public abstract void Refund(T item);

        [DllImport("shop.dll")]
        private static extern unsafe int Weigh(int* weights, [In] int amount);

        public sealed override string ToString() => "shop";

        public void Dispose() { }

        #region Selling

        /// <summary>Sells one.</summary>
        public async Task<int> Sell<K>(K key, ref int level, [NotNull] string name = "x", params T[] others) where K : notnull
        {
            // Comments belong to what stands below them.
            var found = default(T);
            int first = 1, second = 2;
            foreach (var (id, other) in others.Select((item, at) => (at, item)))
            {
                if (id > level && other != null)
                    continue;
                else if (other is Item { Cost: > 3, Name: var text } && text?.Length > 3)
                    found = other as T;
                else
                    break;
            }
            for (int i = 0, j = 1; i < level; i++, j += 2)
            {
                level -= i;
            }
            while (open) { Close(); }
            do
            {
                rate--;
            } while (rate > 0);
            await Save(key, out var saved, name: name).ConfigureAwait(false);
            Market.Sell<int>(level);
            other?.Sell(1)?.Done();
            int[] sizes = { 1, 2 }, more = new int[] { 3 };
            List<int> all = [1, .. sizes];
            var anonymous = new { Name = name, Level = level };
            Func<int, int> next = x => x + 1;
            Action<int> print = delegate (int amount) { Console.Write(amount); };
            Func<int, int, int> add = static (a, b) => { return a + b; };
            return first switch
            {
                1 when open => 2,
                < 0 or 5 => 3,
                _ => throw new InvalidOperationException(),
            };
        }

        #endregion

        private static IEnumerable<int> Walk(int depth)
        {
            int Inner(int level)
            {
                return level > 0 ? Inner(level - 1) : 0;
            }
            yield return Inner(depth);
            if (depth == 0) yield break;
            goto end;
        end:
            ;
        }

        string Load(string path)
        {
            using var log = Open("log");
            using (var reader = Open(path))
            {
                lock (items)
                {
                    return reader.Read();
                }
            }
            try
            {
                checked { count++; }
                unsafe { fixed (int* at = &sizes[0]) { *at = 1; } }
            }
            catch (ArgumentException error) when (error.Message == "x")
            {
                throw new PriceException(@"can't read " + path, error);
            }
            catch (Exception)
            {
            }
            catch
            {
                throw;
            }
            finally
            {
                Dispose();
            }
            return """a "raw" text""";
        }

        int Handle(object command)
        {
            switch (command)
            {
                case "quit":
                case string { Length: 0 }:
                    return 1;
                case int number when number > 3:
                    return (int)number;
                default:
                    break;
            }
            var query = from item in items where item.Value != null orderby item.Key select item;
            return sizeof(int) + typeof(Shop<,>).Name.Length;
        }

#if FAST
        void Hurry() { }
#else
        void Dawdle() { }
#endif

        private class Order
        {
            file int number;
        }
    }

    public static class Extensions
    {
        public static string Shout(this string text) => text.ToUpper() + "!";

        public static async IAsyncEnumerable<int> Count()
        {
            yield return await Task.FromResult(1);
        }
    }

    [ApiController]
    [Route("items")]
    public class ItemsController : ControllerBase
    {
        [HttpGet("{id}")]
        public Item? Get(int id) => null;
    }

    [TestFixture]
    public class ShopTests
    {
        [SetUp]
        public void Open() { }

        [Test, Category("fast")]
        public void IsEmpty()
        {
            Assert.AreEqual(0, new Shop<Item, int>(0).count);
        }
    }

    static class Program
    {
        static void Main(string[] arguments) => Console.WriteLine(Twice(1));
    }
}
