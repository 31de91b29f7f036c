# Writes which methods the calls of Ruby sources reach while programs run: one JSON line for each call that is the only one with its
# name in its line.
#
#     ruby -I FOLDER/lib uses_ruby.rb FOLDER PROGRAM.rb ... > uses.jsonl
#
# The interpreter reports each call of a method (`TracePoint`), with the line of its caller. Calls by `send`, of methods that the
# class gets from a macro, and of `initialize` by `new` do not have the name in that line, and are left out.

require "json"

ROOT = File.realpath(ARGV.shift) + "/"
calls = {}
trace = TracePoint.new(:call) do |point|
  next unless point.path.start_with?(ROOT)

  caller = caller_locations(2, 1)&.first
  next unless caller && caller.path.start_with?(ROOT) && point.method_id.match?(/\A\w+[?!=]?\z/)

  from = [caller.path, caller.lineno, point.method_id.to_s]
  (calls[from] ||= {})[[point.path, point.lineno]] = true
end
output = $stdout.dup
$stdout = $stderr
ARGV.each do |program|
  trace.enable { load program }
rescue Exception => error # rubocop:disable Lint/RescueException
  warn error.message
end

lines = Hash.new { |known, path| known[path] = File.readlines(path) }
columns = lambda do |path, line, word|
  text = lines[path][line - 1].to_s
  bare = word.delete_suffix("=")
  found = []
  text.scan(/(?<![\w@$:])#{Regexp.escape(bare)}(?![\w?!]|:[^:])/) { found << Regexp.last_match.begin(0) + 1 }
  found
end
calls.each do |(path, line, word), targets|
  at = columns.(path, line, word)
  next if at.length != 1

  to = targets.keys.filter_map do |file, start|
    column = columns.(file, start, word)
    next if lines[file][start - 1] !~ /\bdef\b/ || column.empty?

    { path: file.delete_prefix(ROOT), line: start, col: column.first }
  end
  next if to.length != targets.length

  output.puts JSON.generate({ path: path.delete_prefix(ROOT), line: line, col: at[0], word: word.delete_suffix("="), to: to })
end
