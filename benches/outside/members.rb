# A line for each class and module of Ruby and of libraries that come with it: its name, what is above it, and its own members, with tabs
# between. What a module calls on the objects that include it counts as its own.
LIBRARIES = %w[
  bigdecimal date delegate forwardable json logger minitest monitor observer optparse ostruct pathname set singleton stringio strscan
  tempfile test/unit time
].freeze
LIBRARIES.each do |name|
  require name
rescue LoadError, StandardError
  next
end
CALLED = {
  'Comparable' => %w[<=>],
  'Enumerable' => %w[each <=>],
  'Kernel' => %w[
    to_s to_str to_a to_ary to_h to_hash to_proc to_i to_int to_f to_r to_c to_sym to_path to_io to_regexp to_enum to_open call coerce each
    method_missing respond_to_missing? initialize_copy initialize_clone initialize_dup marshal_dump marshal_load _dump encode_with
    init_with exception full_message write read close begin end succ deconstruct deconstruct_keys pretty_print pretty_print_cycle to_json
  ],
  'Module' => %w[
    inherited included extended prepended method_added method_removed method_undefined const_missing const_added
  ],
}.freeze

# Names that are made from parts.
MADE = { 'Minitest.Test' => %w[test_*], 'Test.Unit.TestCase' => %w[test*], 'OptionParser' => %w[*] }.freeze
# What other libraries add to all objects.
ADDED = /\A(PP|JSON|Gem|RubyVM|DidYouMean|ErrorHighlight|SyntaxSuggest|RbConfig|Monitor|Process|Etc|IRB|RDoc|Rake|Bundler)\b/

def name_of(one) = Module.instance_method(:name).bind_call(one)

def listed?(one)
  name = name_of(one)
  name && !name.include?('#') && !name.match?(ADDED) && Object.const_get(name).equal?(one)
end

# The class above, and the modules that the class itself includes.
def above(one)
  known = one.is_a?(Class) && one.superclass ? one.superclass.ancestors : []
  direct = one.ancestors.take_while { |other| !known.include?(other) } - [one]
  direct << one.superclass unless known.empty?
  direct.select { |other| listed?(other) }
end

# Instance variables cannot be listed: a class that is written in Ruby may have any.
def own(one)
  file = ->(name) { one.instance_method(name).source_location&.first }
  methods = (one.instance_methods(false) + one.private_instance_methods(false)).reject { |name| file.(name) == __FILE__ }
  in_ruby = ![Object, Kernel].include?(one) && methods.any? { |name| file.(name)&.start_with?('/') }
  constants = one.equal?(Object) ? [] : one.constants(false)
  names = (methods + one.singleton_methods(false) + constants).map(&:to_s)
  names.grep(/\A[[:alpha:]_]\w*[?!=]?\z|\A\W+\z/) + (in_ruby ? ['@*'] : [])
end

seen = {}
ObjectSpace.each_object(Module) do |one|
  next if !listed?(one) || seen[name_of(one)]

  seen[name_of(one)] = true
  dotted = name_of(one).gsub('::', '.')
  members = own(one) + CALLED.fetch(dotted, []) + MADE.fetch(dotted, [])
  puts [dotted, above(one).map { |other| name_of(other).gsub('::', '.') }.join(' '), members.uniq.sort.join(' ')].join("\t")
rescue NameError, ArgumentError
  next
end
