-- Sends POST requests with the body in the environment variable BODY. Each
-- client address sends 50 requests, fewer than the rate limit, before the next
-- address.
local threads = 0

function setup(thread)
  thread:set("id", threads)
  threads = threads + 1
end

function init()
  wrk.method = "POST"
  wrk.body = os.getenv("BODY")
  wrk.headers["Content-Type"] = "application/json"
  -- Each run has its own addresses, because the service counted earlier ones.
  base = tonumber(os.getenv("RUN")) * 64 + id * 8
  sent = 0
end

function request()
  local n = math.floor(sent / 50)
  sent = sent + 1
  wrk.headers["X-Forwarded-For"] = string.format("%d.%d.%d.%d",
    11 + math.floor(base / 256), base % 256 + math.floor(n / 65536),
    math.floor(n / 256) % 256, n % 256)
  return wrk.format()
end
