"""`python -m cst_engine` is the program `cst`."""

from ._program import main

main()
