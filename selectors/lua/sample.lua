#!/usr/bin/env lua
--- A small shop: every construct that the data of Lua speaks of.

local json = require("dkjson")
local prices <const> = require 'shop.prices'

local LIMIT, rest = 10, nil
total = 0
local Shop = { name = "shop", [1] = "one", "two"; open = true }
Shop.__index = Shop

--- Makes a shop.
-- @param name what it is called
function Shop.new(name, ...)
    local self = setmetatable({}, Shop)
    self.name = name or [[none]]
    self.items = { ... }
    return self
end

function Shop:add(item, amount)
    if not item then
        error("no item")
    elseif amount > LIMIT and amount ~= 0 then
        goto done
    else
        self.items[#self.items + 1] = item
    end
    ::done::
    return self, amount
end

function Shop.deep.er:sort() table.sort(self.items, function(a, b) return a < b end) end

local function count(n)
    for i = 1, n, 2 do
        if i == 3 then break end
    end
    for key, value in pairs(Shop) do
        print(key, value)
    end
    while n > 0 do
        n = n - 1
    end
    repeat
        n = n + 1
    until n >= 0x10
    do
        local inner = count(n - 1)
    end
    return -n // 2
end

function _hidden() end

function test_count() assert(count(3) == 1.5e3) end

local handlers = {
    open = function(event) return event.name end,
    ["close"] = function() end,
}

local on_error = function(message)
    io.stderr:write(message, "\n")
end
Shop.close = function(self) self:add(nil) end

--[[ A long
comment. ]]
local ok, problem = pcall(count, 5)
local nested = { { 1, 2 }, { 3 } };
local function outer()
    local function inner() end
    return inner
end
return Shop
