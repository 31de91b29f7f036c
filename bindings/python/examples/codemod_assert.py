"""Turns unittest's assertions into plain `assert`, in all files or in none."""

import sys

import cst_engine as cst

RULES = [
    ("self.assertEqual($A, $B)", "assert $A == $B"),
    ("self.assertTrue($A)", "assert $A"),
    ("self.assertIsNone($A)", "assert $A is None"),
]


def main() -> None:
    for path in sys.argv[1:]:
        tree = old = cst.parse_file(path)
        for pattern, template in RULES:
            tree = tree.rewrite(pattern=pattern, template=template)
        print(tree.diff(old), end="")


if __name__ == "__main__":
    main()
