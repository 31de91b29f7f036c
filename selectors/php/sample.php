#!/usr/bin/env php
<?php

declare(strict_types=1);

namespace Acme\Shop;

use Acme\Stock\Level;
use Acme\Stock\{Refill, Order as StockOrder};
use Countable, ArrayAccess as Access;
use function Acme\Prices\round_up;
use const Acme\Prices\TAX;

require_once __DIR__ . '/prices.php';
require 'settings.php';
include('extras.php');
include_once "more.php";

const LIMIT = 10;
define('RATES', ['low' => 0.05, 'high' => 2e-1]);

/** Colours that an item may have. */
enum Colour: string implements Named
{
    use Labels;

    case Red = 'red';
    case Green = 'green';

    const Usual = self::Red;

    public static function fromName(string $name): self
    {
        return constant("self::$name");
    }
}

interface Named extends Countable, \Stringable
{
    const PREFIX = 'n';

    public function name(): string;
}

trait Labels
{
    private array $labels = [];

    public function label(): string
    {
        return ucfirst($this->name());
    }

    abstract public function name(): string;
}

class PriceError extends \RuntimeException {}

/**
 * One thing to sell.
 *
 * @internal
 */
#[\Attribute(\Attribute::TARGET_CLASS), Entity(name: 'items')]
abstract class Item extends Base implements Named, \JsonSerializable
{
    use Labels, Dates {
        Labels::label insteadof Dates;
        Dates::label as protected dateLabel;
    }

    final public const int SIZE = 3, DEPTH = 4;
    private const SECRET = 'x';

    public static int $count = 0;
    protected ?string $owner = null, $buyer;
    public readonly int|float $price;
    var $old;
    #[Column]
    public string $full {
        get => $this->first . ' ' . $this->last;
        set(string $value) {
            [$this->first, $this->last] = explode(' ', $value, 2);
        }
    }

    /** Makes an item. */
    public function __construct(
        private readonly string $name,
        protected ?Colour $colour = null,
        #[\SensitiveParameter] string ...$tags,
    ) {
        parent::__construct($name);
        static::$count++;
        $this->tags = $tags;
    }

    public function __destruct()
    {
        self::$count--;
    }

    #[\Override]
    public function name(): string
    {
        return $this->name;
    }

    final public static function make(string $name, self &$other, callable|\Closure $then = null): static
    {
        return new static($name, then: $then);
    }

    abstract protected function sell(Buyer&Named $buyer): never;

    /** @deprecated since 1.1 */
    public function getOwner(): ?string
    {
        return $this->owner ?? $this->buyer?->getName();
    }

    private function setOwner($owner): void
    {
        $this->owner = $owner;
    }

    #[\Deprecated('use find()')]
    function &lookUp(array $keys)
    {
        foreach ($keys as $key => &$value) {
            if ($value === null) {
                continue;
            } elseif ($value instanceof self) {
                yield $key => $value;
            } else {
                break;
            }
        }
        yield from $this->lookUp([]);
    }

    protected function nothing(): void
    {
    }
}

final class ItemTest extends TestCase
{
    public function testName(): void
    {
        $this->assertSame('a', Item::make('a', $other)->name());
        self::assertTrue(true);
    }
}

/** Finds a price. */
function find(array $items, int|string $key, ?callable $filter = null, mixed ...$rest): ?Item
{
    global $verbose, $depth;
    static $seen = [], $hits = 0;

    $double = static function (int $value) use ($key, &$hits): int {
        $hits += 1;
        return $value * 2;
    };
    $triple = static fn (int $value): int => $value * 3;
    $first = round_up(...);
    $copy = &$items;
    [$left, [, $right]] = [1, [2, 3]];
    list('a' => $a, 'b' => $b) = $items;

    for ($i = 0, $n = count($items); $i < $n; $i++) {
        while ($i-- > 0) {
            $hits .= 'x';
        }
        do {
            $double($i);
        } while (false);
    }

    switch ($key) {
        case 'none':
            return null;
        default:
            echo $key, "\n";
    }

    $size = match (true) {
        $n > 10, $n < 0 => 'big',
        is_array($items[0] ?? null) => 'nested',
        default => throw new PriceError("no $key", 1),
    };

    try {
        $item = (new Finder($items))->find($key, ...$rest) ?: \Acme\find_one(key: $key);
        $item?->touch();
        $finder::reset();
    } catch (PriceError | \LogicException $error) {
        print $error->getMessage();
        throw $error;
    } catch (\Throwable) {
        exit(1);
    } finally {
        unset($items[0], $copy);
    }

    $shape = new class($size) extends Item {
        protected function sell($buyer): never
        {
            exit;
        }
    };

    $text = <<<TEXT
        {$item->name} costs ${key} and $items[0]
          in all
        TEXT;
    $raw = <<<'RAW'
        raw
        RAW;
    $list = `ls`;
    $value = @file($text) and (int) $raw;
    $name = namespace\find([], 'a')::class;
    $$name = clone $item;
    $low = !$value && -1.5 <=> ~$hits ** 2;
    $up = $n > 1 ? Item::SIZE : Item::$count;
    Colour::from('red')->name;
    goto end;
    end:
    ;
    return $item;
}

function depth($category): int
{
    return $category ? depth($category->parent) + 1 : 0;
}

if (PHP_SAPI === 'cli'):
    find([], 'a');
endif;
?>
<p><?= LIMIT ?></p>
