/**
 * The health check of the image: exit status 0 if GET /healthz has status 200.
 * It finds the service by the settings of the service.
 *
 * @module
 */

// An empty variable counts as not set, as in config.ts.
const host = Deno.env.get("PWGEN_HOST") || "127.0.0.1";
const port = Deno.env.get("PWGEN_PORT") || Deno.env.get("PORT") || "8000";
const scheme = Deno.env.get("PWGEN_TLS_CERT") ? "https" : "http";

// Linux connects to the machine itself at 0.0.0.0 and [::]
// (https://man7.org/linux/man-pages/man7/ip.7.html, INADDR_ANY).
const name = host.includes(":") ? `[${host}]` : host;
try {
  const response = await fetch(`${scheme}://${name}:${port}/healthz`);
  await response.body?.cancel();
  Deno.exit(response.ok ? 0 : 1);
} catch {
  Deno.exit(1);
}
