/// A small shop: every construct that the data of Dart speaks of.
library shop;

import 'dart:async';
import 'package:prices/prices.dart' as prices show Price hide Old;
export 'src/item.dart';
part 'shop.g.dart';

const limit = 10;
final String title = 'shop';
var total = 0, rest = 1.5;
typedef Handler = void Function(String name);

/// A colour.
enum Colour {
  red,
  green(2);

  final int level;
  const Colour([this.level = 0]);
  bool get isRed => this == red;
}

mixin Priced on Object {
  double get price;
}

extension Shouting on String {
  String shout() => toUpperCase();
}

/// One thing to sell.
@deprecated
abstract class Thing<T extends Object> implements Comparable<Thing> {
  void open();
}

class Item extends Thing<int> with Priced {
  static const kinds = ['a', "b"];
  final String name;
  int? _count;
  late double tax = 0x1F;

  Item(this.name, {this.tax = 0.1, required int count}) : _count = count {
    print(name);
  }

  const Item.empty() : name = '';
  factory Item.from(Map<String, Object> map) => Item(map['name'] as String, count: 1);

  @override
  double get price => tax * (_count ?? 0);
  set count(int value) {
    _count = value;
  }

  static Item make([int? count]) => Item('x', count: count ?? 1);

  @override
  void open() {}

  Item operator +(Item other) => this;

  Future<void> sell(String buyer, int amount) async {
    if (amount > limit) {
      throw ArgumentError('too many: $amount');
    } else {
      assert(amount > 0);
    }
    for (var i = 0; i < amount; i++) {
      if (i == 3) continue;
      break;
    }
    for (final tag in kinds) {
      print("$tag ${tag.length}");
    }
    while (true) {
      break;
    }
    do {
      total += 1;
    } while (total < 5);
    try {
      await Future.delayed(Duration(seconds: 1));
    } on StateError catch (error) {
      rethrow;
    } finally {
      total = 0;
    }
    switch (amount) {
      case 1:
        return;
      default:
        print('many');
    }
    final helper = (int x) => x * 2;
    int inner(int x) {
      return helper(x);
    }
    [1, 2].map((x) => inner(x)).toList()..add(3);
    return null;
  }
}

Stream<int> count(int n) async* {
  yield n;
}

Iterable<int> numbers() sync* {
  yield* [1, 2];
}

int recurse(int n) => n == 0 ? 0 : recurse(n - 1);
void _hidden() {}
external int puts(String text);

/* The start. */
void main() {
  // Runs.
  final item = new Item('x', count: 1);
  item.sell('me', {'a': 1}.length);
  test('an item', () {
    expect(item.name, '''x''');
  });
}
