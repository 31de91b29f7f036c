"""A shop, for examples/session.jsonl to work on."""


class Shop:
    """Sells things."""

    def __init__(self, name):
        self.name = name
        self.sold = []

    def sell(self, thing, price):
        self.sold.append((thing, price))
        return price

    def get_total(self):
        return sum(price for _, price in self.sold)


def main():
    shop = Shop("corner")
    shop.sell("bread", 3)
    print(shop.get_total())


if __name__ == "__main__":
    main()
