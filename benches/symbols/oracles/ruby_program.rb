# What `uses_ruby.rb` runs for the figures in docs/benchmarks.md: requests to an application, and commands.

require "stringio"
require "mustermann"
require "mustermann/sinatra"
require "rack"
require "rack/mock"
require "sinatra/base"
require "thor"

def attempt
  yield
rescue StandardError => error
  warn error.message
end

pattern = Mustermann.new("/:foo/:bar.?:ext?")
attempt { pattern.match("/a/b.c") }
attempt { pattern.params("/a/b") }
attempt { pattern.expand(foo: 1, bar: 2) }
attempt { pattern.to_templates }
attempt { (Mustermann.new("/a") | Mustermann.new("/b")).match("/a") }

class App < Sinatra::Base
  enable :sessions
  set :session_secret, "x" * 64
  set :environment, :test
  helpers { def helper = 1 }
  before { cache_control :public }
  get("/hi/:n") do
    headers "X" => "1"
    session[:a] = 1
    content_type :html
    etag "a"
    "hi #{params[:n]} #{request.ip}"
  end
  post("/p") { redirect "/hi/1" }
  get("/s") { stream { |out| out << "x" } }
  get("/e") { erb "a <%= helper %>" }
  get("/x") { halt 404 }
  error { "error" }
  not_found { "not found" }
end

requests = Rack::MockRequest.new(App)
%w[/hi/1 /s /none /e /x /hi/2?a[b]=1&c[]=2].each { |path| attempt { requests.get(path) } }
attempt { requests.post("/p", params: { a: "1", f: { b: 2 } }) }
form = "--AaB03x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b.txt\"\r\n\r\nx\r\n--AaB03x--\r\n"
attempt { requests.post("/p", input: form, "CONTENT_TYPE" => "multipart/form-data; boundary=AaB03x") }

served = Rack::Builder.new do
  use Rack::ETag
  use Rack::ConditionalGet
  use Rack::Deflater
  use Rack::CommonLogger, StringIO.new
  use Rack::ShowExceptions
  use Rack::Runtime
  use Rack::Head
  use Rack::MethodOverride
  use Rack::ContentLength
  use Rack::Static, urls: ["/static"]
  map("/a") do
    run lambda { |environment|
      request = Rack::Request.new(environment)
      request.params
      request.cookies
      response = Rack::Response.new
      response.set_cookie("a", "b")
      response.write "x"
      response.finish
    }
  end
  run Rack::Directory.new(__dir__)
end
requests = Rack::MockRequest.new(served)
%w[/a /a?b=1 / /ruby_program.rb /none].each do |path|
  attempt { requests.get(path, "HTTP_ACCEPT_ENCODING" => "gzip", "HTTP_COOKIE" => "a=b") }
end

class Commands < Thor
  class_option :v, type: :boolean
  desc "hello NAME", "greets"
  method_option :count, type: :numeric, default: 1, aliases: "-c"
  def hello(name) = say("hi #{name}", :green)

  desc "table", "prints"
  def table
    print_table([[1, 2], [3, 4]])
    shell.print_wrapped("a b c")
  end
end
[%w[help], %w[help hello], %w[hello a -c 3], %w[table], %w[none], %w[hello]].each do |arguments|
  attempt { Commands.start(arguments) }
end
