#!/usr/bin/env Rscript
# A small shop: every construct that the data of R speaks of.

library(stats)
require("utils")
source("R/prices.R")
loadNamespace("tools")

LIMIT <- 10L
total = 0
"quoted" <- 1.5
.hidden <- TRUE
5 -> five

#' Adds an item.
#'
#' @param item What to add.
#' @param amount How many.
add <- function(item, amount = 1, ...) {
  if (is.null(item)) {
    stop("no item")
  } else if (amount > LIMIT && !FALSE) {
    return(invisible(NULL))
  } else {
    items <<- c(items, rep(item, times = amount))
  }
  for (i in seq_len(amount)) {
    if (i == 3) next
    print(i)
  }
  while (TRUE) {
    break
  }
  repeat {
    amount <- amount - 1
    if (amount < 0) break
  }
  helper <- function(x) x^2
  helper(2) + NA
}

print.shop = function(x, ...) cat("shop", x$name, "\n")

function(a, b) a + b -> sum2

setClass("Shop", representation(name = "character"))
setGeneric("open", function(shop, ...) standardGeneric("open"))
setMethod("open", "Shop", function(shop, ...) {
  shop@name
})

Account <- R6::R6Class("Account",
  public = list(
    balance = 0,
    deposit = function(x) {
      self$balance <- self$balance + x
      invisible(self)
    }
  )
)

count <- function(n) {
  if (n == 0) return(0)
  count(n - 1)
}

squares <- sapply(1:3, \(x) x * 2)
names(squares) <- c("a", 'b', r"(c)")
squares[["a"]] <- squares["b"] %in% c(1i, Inf, NaN)
result <- tryCatch(
  {
    warning("careful")
  },
  error = function(e) NULL,
  finally = message("done")
)
piped <- squares |> stats::median(na.rm = TRUE)
y ~ x + z
switch(five, "a" = 1, 2)
test_that("it counts", {
  expect_equal(count(3), 0)
})
