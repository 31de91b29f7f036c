#!/usr/bin/env swift
// A small cache of pages, with a view in front of it.

import Foundation
@testable import struct Pages.Page

/// How many pages are kept.
public let limit = 0x40, ratio = 2.5
var counter: Int = 0b11 + 0o17

infix operator <+>: JoinPrecedence

precedencegroup JoinPrecedence {
  associativity: left
}

typealias Handler<T> = (T, String) async throws -> Void

@freestanding(expression)
macro stringify<T>(_ value: T) -> String = #externalMacro(module: "Macros", type: "Stringify")

/// What may go wrong.
enum CacheError: Error, Codable {
  case missing(path: String, Int)
  case stale, lost
  indirect case nested(CacheError)

  var isFatal: Bool {
    switch self {
    case .missing(let path, _) where path.isEmpty:
      return true
    case .stale, .lost:
      fallthrough
    default:
      return false
    }
  }
}

enum State: String {
  case fresh = "fresh"
}

/** Something that can be shown. */
public protocol Renderer: AnyObject {
  associatedtype Size: Hashable

  var size: Size { get set }

  init(path: String)
  func render(_ text: String, into buffer: inout [String]) -> Int
  static func shared() -> Self
}

/// A page of the cache.
///
/// It is cheap to copy.
public struct Page<T: Codable>: Equatable where T: Hashable {
  public let path: String
  private(set) var body: T?
  static let empty = [Int](), names = ["a": 1]

  init?(path: String, _ body: T? = nil) {
    guard !path.isEmpty else { return nil }
    self.path = path
    self.body = body
  }

  subscript(index: Int) -> Character {
    return path[path.index(path.startIndex, offsetBy: index)]
  }

  mutating func replace(with other: T) {
    body = other
    counter += 1
  }

  public static func == (left: Page, right: Page) -> Bool {
    left.path == right.path
  }
}

@available(*, deprecated, message: "use Page")
class OldPage {}

@MainActor
open class Cache: NSObject {
  @Published private var pages: [String: Page<String>] = [:]
  @IBOutlet weak var label: Label?
  lazy var formatter: Formatter = {
    let made = Formatter()
    return made
  }()

  var count: Int {
    get { pages.count }
    set(value) {
      let wanted = value
      trim(to: wanted)
    }
  }

  var title: String = "home" {
    didSet { label!.text = title }
  }

  public required override init() {
    super.init()
  }

  convenience init(pages: [Page<String>]) throws {
    self.init()
    for page in pages where page.body != nil {
      self.pages[page.path] = page
    }
  }

  deinit {
    print("gone", counter)
  }

  @discardableResult
  public final func trim(to count: Int) -> Int {
    func factorial(_ n: Int) -> Int {
      return n < 2 ? 1 : n * factorial(n - 1)
    }
    while pages.count > count {
      if let first = pages.keys.first, first != "home" {
        pages.removeValue(forKey: first)
      } else {
        break
      }
    }
    repeat {
      counter -= 1
      continue
    } while counter > 0
    return factorial(3)
  }

  /// Loads a page.
  func load<R: Renderer>(_ path: String, with renderer: R, then done: @escaping (Page<String>) -> Void) async throws -> Int {
    do {
      let text = try await fetch(path, retries: 3)
      done(text as! Page<String>)
    } catch let error as CacheError {
      throw error
    } catch {
      _ = #stringify(error)
    }
    defer { counter = 0 }
    let sizes = [1, 2, 3].map { $0 * 2 }
    let total = sizes.reduce(0) { (left: Int, right) in left + right }
    let pair = (total, "a \(path)")
    let text = """
      many
      lines
      """
    let raw = #"no "escapes""#
    let names = pages.keys.map(\.count)
    let empty = [String: Int](minimumCapacity: limit)
    return try! pair.0 ?? (text.isEmpty || names is [Int] && true ? 0x10 : -1)
  }

  @objc
  @IBAction func reload(_ sender: Any) {
    let refresh = { [weak self] (count: Int) async -> Void in
      self?.trim(to: count)
    }
    (0..<3).forEach { _ in sender }
  }

  override class func description() -> String { "cache" }

  fileprivate func secret() {}
}

extension Cache: Renderer {
  public var size: Int { 1 }

  func joined() -> String { "joined" }
}

public extension Page {
  func copy() -> Page { self }
}

actor Loader {
  nonisolated func start() {}
}

struct Home: View {
  @State private var isOpen = false

  var body: some View {
    Text("home").padding(8)
  }
}

@main
struct App {
  static func main() {
    #if DEBUG
    print("debug")
    #endif
  }
}

func <+> (left: String, right: String) -> String { left + right }

final class CacheTests: XCTestCase {
  func testTrim() throws {
    XCTAssertEqual(try Cache(pages: []).trim(to: 1), 6)
  }
}

@Suite struct LoaderTests {
  @Test func starts() async {}
}
