-- Sends the requests of a file one after another, each on the next free connection, and prints the results as a line of JSON.
-- The first argument is the file, where each request follows a line with its length in bytes; the second is the number of the request to
-- begin with, counted from 0. After the last request comes the first again.

-- Called in the main environment, with the only thread: wrk runs with -t 1.
function setup(thread)
   worker = thread
end

-- Called in the thread's environment, as is request().
function init(args)
   requests = {}
   local file = assert(io.open(args[1], "rb"))
   for length in file:lines() do
      requests[#requests + 1] = file:read(tonumber(length))
   end
   file:close()
   -- wrk calls request() once before it sends any, to count the requests in what it returns.
   position = tonumber(args[2]) - 1
end

function request()
   local text = requests[position % #requests + 1]
   position = position + 1
   return text
end

-- Called in the main environment.
function done(summary, latency)
   local errors = summary.errors
   io.write(string.format(
      '{"requests": %d, "duration_us": %d, "p50_us": %d, "p99_us": %d, "position": %d, '
         .. '"errors": {"connect": %d, "read": %d, "write": %d, "status": %d, "timeout": %d}}\n',
      summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), worker:get("position"),
      errors.connect, errors.read, errors.write, errors.status, errors.timeout
   ))
end
