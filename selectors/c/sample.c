/*
 * A small cache of lines of text, with what the data of C speaks of.
 */
#include <stdio.h>
#include <stdlib.h>
#include "cache.h"

#ifndef CACHE_LIMIT
#define CACHE_LIMIT 64
#endif

/* The larger of two; each is evaluated twice. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LOG(format, ...) \
    fprintf(stderr, format "\n", __VA_ARGS__)

/** How full a cache is. */
enum fullness {
    CACHE_EMPTY,
    CACHE_HALF = 50,
    CACHE_FULL = 100,
};

typedef enum { LEFT, RIGHT } side;

/// An entry, in a list.
struct entry {
    const char *key;
    struct entry *next, *previous;
    unsigned int used : 1;
    unsigned int flags : 7;
    char name[16];
    union {
        long number;
        double real;
    } value;
    struct {
        int line, column;
    };
#ifdef CACHE_STATISTICS
    unsigned long hits;
#endif
};

union word {
    unsigned char bytes[4];
    unsigned int whole;
};

typedef struct {
    int x;
    int y;
} point;

typedef struct node {
    struct node *left;
    int (*compare)(const void *, const void *);
} node_t;

typedef unsigned long size;
typedef int (*comparison)(const void *left, const void *right);

struct cache;

extern int cache_count;
static const int primes[] = { 2, 3, 5, 7 };
static struct { int hits, misses; } statistics;
volatile int stop = 0, *watched;
int (*on_miss)(const char *key) = NULL;

#ifdef __cplusplus
extern "C" int cache_version(void);
#endif

/** Makes a cache. */
struct cache *cache_new(size limit);
int cache_get(struct cache *cache, const char *key), cache_size(void);
void cache_log(const char *format, ...);
extern void cache_free(struct cache *);
void (*cache_handler(int number, void (*handler)(int)))(int);

__attribute__((noreturn)) void fail(const char *message);

/** @deprecated Use `cache_get`. */
[[deprecated]] int cache_find(const char *key);

__declspec(dllexport) int exported(void);

/* Gives back the larger of two. */
static inline int larger(int a, int b)
{
    return MAX(a, b);
}

/**
 * Adds up numbers.
 *
 * @param count how many there are
 */
long sum(const int *numbers, size count)
{
    long total = 0;

    for (size i = 0; i < count; i++) {
        if (numbers[i] < 0)
            continue;
        total += numbers[i];
    }
    return total;
}

int factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

static int old_style(a, b)
    int a;
    char *b;
{
    return a + b[0];
}

static int walk(struct entry *first, point *out)
{
    struct entry *entry = first;
    point origin = { .x = 0, .y = 0 };
    point *corner = &(point){ 1, 2 };
    int letter = 'x', seen[2] = { [0] = 1 };

    while (entry) {
        switch (entry->flags & 0x0F) {
        case 0:
            goto done;
        case 1:
        case 2:
            seen[entry->used]++;
            break;
        default:
            LOG("odd: %d", entry->flags);
        }
        entry = entry->next;
    }
    do {
        letter = getchar();
    } while (letter != EOF && !stop);

    if (on_miss != NULL) {
        (*on_miss)("walk" "ed");
    } else if (statistics.misses > 1.5e3) {
        statistics.misses = 0, statistics.hits = 0;
    } else {
        free((void *)first);
    }
    *out = corner->x ? *corner : origin;
done:
    return (int)sizeof(struct entry) + primes[1];
}

#if defined(_WIN32)
static int guarded(void)
{
    __try {
        return walk(NULL, NULL);
    } __except (1) {
        __leave;
    }
    return 0;
}
#else
static int guarded(void)
{
    return 0;
}
#endif

int test_sum(void)
{
    int numbers[] = { 1, 2, 3 };

    return sum(numbers, 3) == 6 ? 0 : 1;
}

int main(int argc, char *argv[])
{
    printf("%s: %d\n", argv[0], larger(argc, factorial(3)));
    return test_sum();
}

#undef LOG
