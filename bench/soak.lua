-- Sends POST requests with the body {} from 50,000 addresses in turn: RATE
-- requests per second, or as many as possible if RATE is 0. The number of the
-- first request is FIRST. Prints one line of JSON.
local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long seconds, nanoseconds; } instant;
  int clock_gettime(int clock, instant *now);
]]
local MONOTONIC = 1 -- on Linux
local ADDRESSES = 50000

local rate = tonumber(os.getenv("RATE"))
local instant = ffi.new("instant")
local requests = {}
local sent = 0
local due -- the time of the next request, in milliseconds

local function now()
  ffi.C.clock_gettime(MONOTONIC, instant)
  return tonumber(instant.seconds) * 1000 + tonumber(instant.nanoseconds) / 1e6
end

function init()
  wrk.method = "POST"
  wrk.body = "{}"
  wrk.headers["Content-Type"] = "application/json"
  for i = 0, ADDRESSES - 1 do
    wrk.headers["X-Forwarded-For"] =
      string.format("10.0.%d.%d", math.floor(i / 256), i % 256)
    requests[i] = wrk.format()
  end
  sent = tonumber(os.getenv("FIRST"))
end

function request()
  sent = sent + 1
  return requests[sent % ADDRESSES]
end

-- Each connection calls this function before it sends. All connections share
-- one schedule, so that slow responses do not lower the rate while a connection
-- is free.
if rate > 0 then
  function delay()
    local time = now()
    due = (due or time) + 1000 / rate
    return math.max(0, math.floor(due - time + 0.5))
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"errors":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.timeout + errors.status,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
