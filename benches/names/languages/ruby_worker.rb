# Runs Ruby programs given as JSON lines {path: text}, each in a forked child in a folder of its own; answers [status, output] lines.
require "json"
require "tmpdir"
require "fileutils"
require "set"

$stdout.sync = true
$stdin.each_line do |line|
  files = JSON.parse(line)
  Dir.mktmpdir(nil, ARGV[0]) do |folder|
    files.each do |path, text|
      full = File.join(folder, path)
      FileUtils.mkdir_p(File.dirname(full))
      File.write(full, text)
    end
    read, write = IO.pipe
    pid = fork do
      read.close
      $stdout.reopen(write)
      $stderr.reopen("/dev/null")
      begin
        load File.join(folder, "main.rb")
        $stdout.flush
        exit!(0)
      rescue Exception => error
        $stdout.flush
        write.puts "error #{error.class} #{error.message[0, 120]}"
        write.flush
        exit!(1)
      end
    end
    write.close
    late = Thread.new { sleep 5; Process.kill("KILL", pid) rescue nil }
    out = read.read
    _, status = Process.wait2(pid)
    late.kill
    puts JSON.generate([status.exitstatus || 2, out.scrub.gsub(folder, "")])
  end
end
