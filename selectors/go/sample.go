// Package cache keeps pages, with a server in front of them.
package cache

//go:generate stringer -type=State

import (
	"context"
	"errors"
	"fmt"
	str "strings"
	. "sync"

	_ "embed"
)

import "testing"

// Limit says how many pages are kept.
const Limit = 0x40

// States of a page.
const (
	Fresh State = iota
	Stale
	lost
)

const ratio, half = 2.5, 1i

var (
	// ErrMissing is what a lookup gives for no page.
	ErrMissing = errors.New("missing")

	registry = map[string]*Page[string]{}
)

var Version, build string = "1.0", `raw
text`

// State of a page.
type State int

// Handler answers requests.
type Handler func(ctx context.Context, path string) error

type Text = string

type (
	// Key is what pages are found by.
	Key struct{ name, host string }

	Set map[Key]struct{}
)

// Renderer shows something.
type Renderer interface {
	fmt.Stringer
	// Render writes to out.
	Render(ctx context.Context, out []byte, width, height int) (n int, err error)
	Close() error
}

// Number is any of these.
type Number interface {
	~int | ~float64
}

// Page is a page of the cache.
//
// Deprecated: use Key.
type Page[T any] struct {
	Key
	*Mutex

	// Path says where it stands.
	Path  string `json:"path"`
	body  T
	a, b  int
	hooks []func(int) error
}

// NewPage makes an empty page.
func NewPage[T any](path string) *Page[T] {
	return &Page[T]{Path: path, a: 1}
}

// Body gives the body.
func (p *Page[T]) Body() T {
	p.Lock()
	defer p.Unlock()
	return p.body
}

// SetBody replaces the body.
func (p *Page[T]) SetBody(body T) {
	p.body = body
	p.a, p.b = p.b, p.a
	p.a++
	p.b += 2
}

func (k Key) String() string {
	return fmt.Sprintf("%s@%s", k.name, str.ToLower(k.host))
}

func (k Key) depth(left int) int {
	if left == 0 {
		return 0
	}
	return 1 + k.depth(left-1)
}

// Sum adds numbers up.
func Sum[N Number](first N, rest ...N) (total N) {
	total = first
	for _, value := range rest {
		total += value
	}
	return
}

func factorial(n int) int {
	if n < 2 {
		return 1
	} else if n == 2 {
		return 2
	}
	return n * factorial(n-1)
}

// Serve answers until the context is done.
func Serve(ctx context.Context, handler Handler, paths chan string) error {
	type job struct {
		path string
	}
	done := make(chan bool)
	var count, limit = 0, Limit
	worker := func(j job) error {
		return handler(ctx, j.path)
	}
	go func() {
		close(done)
	}()

outer:
	for {
		select {
		case path := <-paths:
			if err := worker(job{path}); err != nil {
				return fmt.Errorf("serve %q: %w", path, err)
			}
			count++
		case <-done:
			break outer
		default:
			continue
		}
		if count > limit {
			goto end
		}
	}

end:
	done <- true
	return nil
}

func classify(value any, flags ...string) (string, bool) {
	if text, ok := value.(fmt.Stringer); ok {
		return text.String(), true
	}
	switch v := value.(type) {
	case nil:
		return "nil", false
	case int, float64:
		return fmt.Sprint(v), true
	}
	switch x := len(flags); {
	case x > 1:
		fallthrough
	case x == 1:
		return flags[0][1:], true
	default:
		panic('x')
	}
}

func init() {
	registry["home"] = NewPage[string]("/")
	numbers := []int{1, 2, 3}
	for i := 0; i < len(numbers); i++ {
		_ = Sum[int](numbers[0], numbers[1:]...)
	}
	bytes := []byte("x")
	(classify)(bytes)
}

func TestSum(t *testing.T) {
	if Sum(1, 2) != 3 {
		t.Fatal("wrong", !true, false)
	}
}

func BenchmarkSum(b *testing.B) {}

func FuzzSum(f *testing.F) {}

func ExampleSum() {}

func main() {}

func isTemporary(err error) bool {
	later, ok := err.(interface{ Temporary() bool })
	return ok && later.Temporary()
}
