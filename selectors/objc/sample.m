// A list of drawings, with what the data of Objective-C speaks of.
#import <Foundation/Foundation.h>
#import "Drawing.h"
#include <stdio.h>
@import UIKit;

#define DRAWING_LIMIT 64
#define SQUARE(x) ((x) * (x))

#ifndef DRAWING_NAME
#define DRAWING_NAME @"drawing"
#endif

@class Canvas, Brush;
@protocol Painter;
@compatibility_alias Picture Drawing;

typedef void (^DrawingHandler)(Canvas *canvas, NSError *error);
typedef unsigned long DrawingSize;
typedef int (*comparison)(const void *left, const void *right);

typedef struct {
    int x;
    int y;
} DrawingPoint;

typedef enum { DrawingLeft, DrawingRight } DrawingSide;

struct entry {
    struct entry *next, *previous;
    unsigned int used : 1;
    char name[16];
};

union word {
    unsigned char bytes[4];
    unsigned int whole;
};

enum fullness { DrawingEmpty, DrawingFull = 100 };

/** What draws. */
@protocol DrawingDelegate <NSObject>
- (void)drawing:(Drawing *)drawing didFinish:(BOOL)finished;
@property (nonatomic, readonly) CGFloat scale;
@optional
- (BOOL)drawingShouldBegin:(Drawing *)drawing;
+ (instancetype)sharedDelegate;
@end

/// A drawing on a canvas.
@interface Drawing<Shape> : NSObject <NSCopying, NSCoding> {
@private
    int _count;
    NSString *_title;
}

@property (nonatomic, copy, nullable) NSString *name;
@property (nonatomic, weak) id<DrawingDelegate> delegate;
@property (class, readonly) Drawing *empty;
@property (strong) IBOutlet UIView *view;
@property int width, height;

- (instancetype)initWithName:(NSString *)name count:(int)count;
- (void)draw;
- (void)logWithFormat:(NSString *)format, ...;
+ (Drawing *)drawingNamed:(NSString *)name;
/** @deprecated Use `draw`. */
- (void)paint __attribute__((deprecated("use draw")));
- (IBAction)tapped:(id)sender;
@end

@interface Drawing ()
@property (nonatomic) NSMutableArray *shapes;
@end

@interface Drawing (Export)
- (NSData *)exportAsData;
@end

extern int drawing_count;
static const int primes[] = { 2, 3, 5, 7 };
static struct { int hits, misses; } statistics;
volatile int stop = 0;
int (*on_miss)(const char *key) = NULL;

#ifdef __cplusplus
extern "C" int drawing_version(void);
#endif

int drawing_compare(const void *left, const void *right);
void drawing_log(const char *format, ...);
extern void drawing_free(void *);

static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

int factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

@implementation Drawing {
    NSUInteger _depth;
}

@synthesize name = _name;
@dynamic width;

static int helper(int a)
{
    return a + 1;
}

- (instancetype)initWithName:(NSString *)name count:(int)count
{
    if (self = [super init]) {
        _name = [name copy];
        _count = count;
    }
    return self;
}

- (void)draw
{
    NSArray *sizes = @[ @1, @2, @(helper(3)) ];
    NSDictionary *colors = @{ @"red" : @1, @"blue" : @YES };
    void (^report)(int) = ^(int times) {
        NSLog(@"drawn %d times", times);
    };
    DrawingPoint *corner = &(DrawingPoint){ 1, 2 };
    SEL action = @selector(drawing:didFinish:);
    NSString *type = @(@encode(int));
    char letter = 'x', *text = "draw" "n";

    for (id size in sizes) {
        if ([size intValue] > 1.5e3) continue;
        report([size intValue]);
    }
    for (int i = 0; i < 3; i++) {
        self.name = @"drawn";
        corner->x += i;
        report([sizes[0] intValue]);
    }
    while (letter--) {
        switch (letter & 0x0F) {
        case 0:
            break;
        default:
            goto done;
        }
    }
    do {
        (*on_miss)(text);
    } while (stop);

    @try {
        @throw [NSException exceptionWithName:@"Odd" reason:nil userInfo:colors];
    } @catch (NSException *error) {
        NSLog(@"%@", error);
    } @finally {
        _count = 0, _depth = 1;
    }
    @synchronized (self) {
        [self.delegate drawing:self didFinish:YES];
    }
    @autoreleasepool {
        dispatch_async(dispatch_get_main_queue(), ^{
            [self logWithFormat:@"%@ %@", type, action];
        });
    }
done:
    return;
}

- (void)logWithFormat:(NSString *)format, ...
{
    va_list arguments;
    va_start(arguments, format);
    va_end(arguments);
}

- (void)paint
{
    [self paint];
}

- (void)dealloc
{
    free((void *)statistics.hits);
}

+ (Drawing *)drawingNamed:(NSString *)name
{
    return [[Drawing alloc] initWithName:name count:sizeof(struct entry)];
}

@end

@implementation Drawing (Export)

- (NSData *)exportAsData
{
    return nil;
}

- (void)testExport
{
    NSAssert([self exportAsData] == nil, @"empty");
}

@end

int main(int argc, char *argv[])
{
    @autoreleasepool {
        return larger(argc, factorial(3));
    }
}
