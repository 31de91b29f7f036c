// Shapes on a plane, with what the data of C++ speaks of.
#include <memory>
#include <stdexcept>
#include <vector>
#include "shapes.h"

#define SHAPES_VERSION 3
#define SQUARE(x) ((x) * (x))

#ifndef SHAPES_LIMIT
#define SHAPES_LIMIT 100
#endif

namespace shapes::plane {

using std::vector;
using namespace std::literals;
namespace memory = std::pmr;

namespace {
int count = 0;
}

/// Which way.
enum class Direction : int { Left, Right = 4 };
enum { Small, Large };

/** A point.
 *
 *  It is plain data. */
struct Point {
    double x = 0, y = 0;

    bool operator==(const Point& other) const = default;
};

typedef struct {
    int width;
    int height;
} Extent;

typedef enum { First, Last } Order;

union Word {
    unsigned char bytes[4];
    unsigned int whole;
};

using Callback = void (*)(int);
template <class T>
using List = std::vector<T>;

template <typename T>
concept Measurable = requires(T value) {
    value.area();
};

/// Something on a plane.
class Shape {
public:
    Shape() = default;
    explicit Shape(Point at, int layer = 0) : at_(at), layer_{layer} {}
    Shape(const Shape&) = delete;
    virtual ~Shape();

    virtual double area() const = 0;
    virtual void move(double dx, double dy);
    operator bool() const { return layer_ > 0; }
    static int made();
    [[nodiscard]] const Point& at() const noexcept { return at_; }
    void log(const char* format, ...) const;

    friend class Canvas;
    friend bool operator<(const Shape& left, const Shape& right);

    using Layer = int;

protected:
    Point at_;
    mutable int layer_;

private:
    struct Cache {
        int hits : 4;
    };
    static constexpr int limit = 10;
    Shape *next, *previous;
    void (*changed_)(int);
    inline static thread_local int depth_ = 0;
};

class Circle final : public Shape, private Counter<Circle> {
    double radius_;

public:
    Circle(Point at, double radius) : Shape(at), radius_(radius) {}
    double area() const override { return 3.14 * SQUARE(radius_); }
    [[deprecated("use area")]] double size() const { return area(); }
};

class NotFound : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class SHAPES_API Canvas {
public:
    void draw(const Shape& shape);
    int width_;
};

struct SHAPES_API Pixel {
    int color;
};

template <typename T, int N = 3>
class Ring {
public:
    Ring();
    T& operator[](int index) { return items_[index]; }

    template <typename U>
    void fill(U&& value) {
        for (auto& item : items_) {
            item = value;
        }
    }

private:
    T items_[N];
};

template <>
struct Ring<bool, 1> {
    bool only;
};

template <typename T, int N>
Ring<T, N>::Ring() {}

Shape::~Shape() {
    --count;
}

void Shape::move(double dx, double dy) {
    this->at_.x += dx;
    at_.y += dy;
    if (changed_ != nullptr) {
        (*changed_)(1);
    } else if (auto layer = layer_; layer < 0) {
        return;
    }
}

bool operator<(const Shape& left, const Shape& right) {
    return left.area() < right.area();
}

template <Measurable T>
auto largest(const vector<T>& shapes) -> double {
    double best = 0;
    auto better = [&best](const T& shape) mutable -> bool { return shape.area() > best; };
    auto all = [=] { return best; };

    for (const auto& [shape, weight] : shapes) {
        if (better(shape)) best = shape.area();
    }
    return all();
}

template <typename... Ts>
double total(Ts&&... shapes) {
    return (0 + ... + shapes.area());
}

int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}

generator<int> numbers(int until) {
    for (int i = 0; i < until; ++i) {
        co_yield i;
    }
    co_return;
}

task<int> later() {
    int value = co_await numbers(3);
    co_return value;
}

const char* name(Direction direction) {
    switch (direction) {
    case Direction::Left:
        return "left";
    case Direction::Right:
        break;
    default:
        goto unknown;
    }
    return R"(right "way")";
unknown:
    return "un" "known";
}

static void work(int argc, char* argv[]) try {
    static_assert(sizeof(int) >= 4, "too small");
    auto shape = std::make_unique<Circle>(Point{1, 2}, 3.0);
    auto* plain = new Circle(Point(), 1.5);
    auto list = new int[4]{1, 2, 3, 4};
    int letters[] = {'a', 'b'}, rest(3);
    Extent extent = (Extent){1, 2};

    shape->move(1, 2), ++rest;
    delete plain;
    while (argc-- > 0) {
        if (argv[argc] == nullptr) continue;
    }
    do {
        rest -= (int)extent.width;
    } while (rest > 0);
    try {
        throw NotFound("shape"s);
    } catch (const NotFound& error) {
        throw;
    } catch (...) {
    }
} catch (const std::exception& error) {
    count = 0;
}

#ifdef _WIN32
int guarded() {
    __try {
        work(0, nullptr);
    } __except (1) {
        __leave;
    }
    return 0;
}
#endif

}  // namespace shapes::plane

extern "C" {
int shapes_version(void);
}

extern "C" double shapes_area(const void* shape);

/** @deprecated Use `work`. */
extern int old_work(int count, ...), limits[3];
volatile int stop = 0;

TEST(Shapes, Area) {
    EXPECT_EQ(shapes::plane::factorial(3), 6);
}

int main() {
    return true ? 0 : 1;
}
