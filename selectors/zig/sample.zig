//! A small shop: every construct that the data of Zig speaks of.
const std = @import("std");
const prices = @import("prices.zig");
pub usingnamespace prices;

/// How many at most.
pub const limit: u32 = 10;
var total: usize = 0;
threadlocal var seen: bool = false;
extern fn puts(text: [*:0]const u8) c_int;

const ShopError = error{ Closed, Empty };

/// A colour.
pub const Colour = enum(u8) {
    red = 1,
    green,

    pub fn isRed(self: Colour) bool {
        return self == .red;
    }
};

const Value = union(enum) {
    none: void,
    number: i64,
};

const Handle = opaque {
    extern fn close() void;
};

/// One thing to sell.
pub const Item = struct {
    name: []const u8,
    price: f64 = 0.5,
    tags: ?[3]u8 = null,

    const Self = @This();

    /// Makes one.
    pub fn init(name: []const u8) Item {
        return .{ .name = name, .price = 1 };
    }

    pub inline fn label(self: *const Self, comptime T: type, _: anytype) !T {
        const text = try self.find('a');
        defer std.debug.print("done {s}\n", .{text});
        errdefer total += 1;
        return text;
    }

    fn find(self: Self, letter: u8) ShopError!usize {
        for (self.name, 0..) |c, i| {
            if (c == letter) return i else continue;
        }
        var n: usize = 0;
        while (n < limit) : (n += 1) {
            if (n == 3) break;
        }
        return error.Empty;
    }
};

fn List(comptime T: type) type {
    return struct {
        items: []T,
        fn len(self: @This()) usize {
            return self.items.len;
        }
    };
}

export fn run(value: Value) callconv(.C) i64 {
    const result = switch (value) {
        .none => 0,
        .number => |n| n + 1,
    };
    const item = Item.init("x") catch |err| return err;
    const long =
        \\ many
        \\ lines
    ;
    {
        total = item.name.len + long.len;
    }
    comptime {
        std.debug.assert(limit == 10);
    }
    outer: for (0..3) |_| break :outer;
    return if (result > 0) result else unreachable;
}

fn recurse(n: u32) u32 {
    if (n == 0) return 0;
    return recurse(n - 1);
}

test "a shop" {
    const item = Item.init("x");
    try std.testing.expectEqual(@as(usize, 1), item.name.len);
}

extern "c" fn close() void;

fn outer() void {
    const Inner = struct {
        fn nested() void {}
    };
    Inner.nested();
}

test recurse {}
