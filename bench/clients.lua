-- Sends POST requests with the body in the environment variable BODY. Each
-- client address sends 50 requests, fewer than the rate limit, before the next
-- address. With CLIENTS above 0, that many addresses take turns for each
-- request.
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
  clients = tonumber(os.getenv("CLIENTS") or "0")
  sent = 0
end

function request()
  local n, first = math.floor(sent / 50), base
  if clients > 0 then
    n, first = sent % clients, 0
  end
  sent = sent + 1
  wrk.headers["X-Forwarded-For"] = string.format("%d.%d.%d.%d",
    11 + math.floor(first / 256), first % 256 + math.floor(n / 65536),
    math.floor(n / 256) % 256, n % 256)
  return wrk.format()
end
