{-# LANGUAGE LambdaCase #-}
-- | A small shop: every construct that the data of Haskell speaks of.
module Shop.Item
  ( Item (..)
  , price
  ) where

import Data.List (sortBy, nub)
import qualified Data.Map as Map
import Prelude hiding (lookup)

infixl 6 +++

-- | A colour.
data Colour = Red | Green Int
  deriving (Show, Eq)

-- | One thing to sell.
data Item a = Item
  { name :: String
  , cost :: Double
  , tag :: Maybe a
  }

newtype Counter = Counter { count :: Int }

type Name = String

class Priced a where
  priceOf :: a -> Double
  priceOf _ = 0

instance Priced (Item a) where
  priceOf item = cost item

type family Element c

foreign import ccall "puts" puts :: Int -> IO Int

-- | The price of an item.
price :: Item a -> Int -> Double
price item amount
  | amount > limit = error "too many"
  | otherwise = cost item * fromIntegral amount
  where
    limit = 10
    helper x = x + 1

limitAll :: Int
limitAll = 0x1F

(+++) :: String -> String -> String
a +++ b = a ++ b

classify :: Int -> String
classify 0 = "zero"
classify n = if n > 0 then "many" else "few"

recurse :: Int -> Int
recurse n = case n of
  0 -> 0
  _ -> recurse (n - 1)

_hidden :: Int
_hidden = 1

main :: IO ()
main = do
  let item = Item { name = "x", cost = 1.5, tag = Nothing }
      double x = x * 2
  line <- getLine
  mapM_ (\x -> print (double x)) [1, 2, 3]
  putStrLn $ map (\case 'a' -> 'b'; c -> c) line
  let squares = [x * x | x <- [1 .. 10], odd x]
  print (fst (1, 'c'))
  return ()
