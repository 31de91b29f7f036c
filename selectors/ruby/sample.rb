#!/usr/bin/env ruby
# frozen_string_literal: true

require "set"
require "json" if ENV["JSON"]
require_relative "shop/prices"
autoload :Invoice, "shop/invoice"
load "settings.rb"

BEGIN { $started = Time.now }
END { puts "done" }

$verbose = false
LIMIT = 10
RATES = {
  "low" => 0.05,
  high: 2e-1,
  'normal': 1r,
  turned: 2i,
}.freeze
FIRST, SECOND = 1, 2

# A shop: every construct that the data of Ruby speaks of, once.
module Shop
  VERSION = "1.2"
  Point = Struct.new(:x, :y) do
    def distance = Math.sqrt(x**2 + y**2)
  end

  # Said of a price that no one would pay.
  class PriceError < StandardError; end

  module Priced
    def price(amount = 1) = amount * rate

    def self.included(base)
      base.extend(ClassMethods)
      super
    end
  end

  # One thing to sell.
  #
  # @deprecated Use +Goods+.
  class Item
    include Comparable, Priced

    attr_accessor :name, :tags
    attr_reader :total
    attr_writer :owner
    private attr_reader :secret

    KINDS = %w[thing service].freeze
    @@count = 0
    @registry ||= {}

    class << self
      attr_accessor :registry

      # Makes an item.
      def build(*args, strict: true, **options, &block)
        new(*args, **options, &block).tap { |item| item.name ||= "none" }
      end

      private

      def hidden; end
    end

    def self.parse(text, sep = ",")
      text.split(sep).map(&:strip).reject { |part| part.empty? }
    end

    def Item.empty = new("")

    # @param name [String]
    def initialize(name, (low, high), *rest, owner:, tags: [], **options, &block)
      super()
      @name, @tags = name, tags
      @low, (@high, *@others) = low, high
      @total = @@count += 1
      self.owner = owner
      instance_eval(&block) if block_given?
    end

    def <=>(other) = name <=> other.name

    def [](index) = tags[index]

    def name=(value)
      raise ArgumentError, "no name" if value.nil?
      @name = value
    end

    def cheap?
      price < LIMIT unless @total.nil?
    end

    def sell!(...) = deliver(...)

    def each
      return to_enum(:each) unless block_given?

      tags.each do |tag; count|
        count = tag.size
        next if count.zero?
        break if count > LIMIT

        yield tag
      end
    end

    def to_s
      <<~TEXT
        #{name} costs #{format("%.2f", total)}
          in all.
      TEXT
    end

    alias label to_s
    alias_method :title, :name
    undef hidden, shown

    protected

    def rank
      case total
      when 0, 1 then :low
      when 2..5 then :middle
      else
        :"high #{total}"
      end
    end

    public

    def open
      yield self
    ensure
      close
    end

    private

    def restock(amount = 1, **nil)
      once = ->(step, factor = 2) { return step * factor }
      twice = lambda { |step| step + step }
      while amount > 0
        amount -= once.call(1)
        redo if amount.odd?
      end
      until amount >= LIMIT do amount += twice.(1) end
      begin amount += 1 end while amount < 3
      amount -= 1 until amount.zero?
      for item, index in [[self, 0]] do puts item, index end
    end

    public def shown(a, b) = [a, b]
    private_class_method :empty
  end

  class Item::Draft < Item
    def each
      super
      super(1)
    end
  end
end

# Finds a price.
def find(command)
  case command
  in { name: String => name, **rest } if rest.empty?
    name
  in [Integer | Float => number, *] then number
  in [*, :last, *others] then others
  in ^command | nil | true | false then nil
  in Shop::Item[name:] unless name.empty? then name
  end
end

def load_all(path, retries: 3)
  attempts = 0
  begin
    attempts += 1
    text = File.open(path) { |file| file.read }
  rescue Errno::ENOENT, IOError => error
    retry if attempts < retries
    raise Shop::PriceError, "can't read #{path}"
  rescue Exception then fail
  rescue
    raise
  else
    JSON.parse(text)
  ensure
    $stderr.puts "read"
  end
end

def arithmetic(a, b)
  c = a + b - -1 * 2 / 3 % 4
  d = (a << 1 | b >> 2) & ~c ^ 0x1F
  c ||= a && b || !d
  c = not(a == b) and d != c
  a =~ /^\d+#{b}$/i ? "yes" : 'no'
  words = "side " "by " 'side'
  listing = `ls #{words}`
  a&.size
  h = { **RATES, "key" => [*%i[one two], ..5, 1...] }
  h["key"][0] += 1
  x = Integer("a") rescue 0
  a.b = Shop::LIMIT
  loop { break }
  p defined?(?a), __FILE__, __LINE__, __ENCODING__
  a in Integer
  h => { key: }
end

# An old test class.
class ItemTest < Minitest::Test
  def test_empty
    ;
    assert Shop::Item.empty
  end

  class << self; end
end

describe "an item" do
  it "has no tags" do
    expect(Shop::Item.empty.tags).to eq []
  end
end

def factorial(n)
  n < 2 ? 1 : n * factorial(n - 1)
end

# @api private
def run_all = find("all")

if __FILE__ == $0
  run_all
elsif $verbose
  warn "loaded"
end

__END__
What stands here is read by the program.
