#!/usr/bin/env julia
"""
A small shop: every construct that the data of Julia speaks of.
"""
module Shop

using LinearAlgebra
using Base: show, print
import JSON
import Dates: now as right_now
export Item, price, @twice
include("prices.jl")

const LIMIT = 10
global total = 0
rate::Float64 = 0.5

abstract type Thing end
abstract type Priced <: Thing end
primitive type Small 8 end

"One thing to sell."
struct Item{T<:Real} <: Priced
    name::String
    price::T
    count

    Item(name) = new{Float64}(name, 0.0, 1)
    function Item{T}(name, price) where {T}
        return new(name, price, 1)
    end
end

mutable struct Counter
    n::Int
end

# The price of an item.
function price(item::Item, amount::Int=1; tax=0.1, rest...)::Float64
    if amount > LIMIT
        throw(ArgumentError("too many"))
    elseif amount == 0 && !true
        return 0.0
    else
        amount += 1
    end
    for i in 1:amount, j = 1:2
        i == 3 && continue
        println("$(i) of $amount")
    end
    while true
        break
    end
    try
        risky(item)
    catch problem
        rethrow()
    finally
        close(item)
    end
    inner(x) = x^2
    let a = 1
        a + inner(a)
    end
    begin
        local b = 2
    end
    item.price * amount
end

short(x, y=2) = x + y
double = x -> 2x
Base.show(io::IO, item::Item) = print(io, item.name)
Base.length(c::Counter)::Int = c.n
function Base.isempty(c::Counter) c.n == 0 end
area(r::T) where {T<:Real} = pi * r^2
function later end

macro twice(expression)
    quote
        $(esc(expression))
        $(esc(expression))
    end
end

@inline fast(x) = x
@twice println('c')
names = map(["a", "b"]) do name
    uppercase(name)
end
squares = [x^2 for x in 1:3 if isodd(x)]
pair = (1, 0x1f, :symbol, nothing)
matrix = [1 2; 3 4]
text = r"a+"i * """
    many
    lines
    """
size = squares[1] > 2 ? big : small
sum(x -> x + 1, squares; init=0)
broadcasted = sin.(squares)
first_name, last_name = names
#= A long
comment. =#
_hidden(n) = n == 0 ? 0 : _hidden(n - 1)
@testset "prices" begin
    @test short(1) == 3
end

end
