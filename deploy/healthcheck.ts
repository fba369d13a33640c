/**
 * The health check of the image: exit status 0 if GET /healthz has status 200.
 * It finds the service by the settings of the service.
 *
 * @module
 */
import { type Config, PLATFORM_VARIABLES, readConfig } from "../config.ts";

try {
  // The check may not read the variables of Deno Deploy.
  const { host: hostname, port, tls } = readConfig(
    [],
    (name) =>
      PLATFORM_VARIABLES.includes(name) ? undefined : Deno.env.get(name),
  ) as Config;
  // fetch() would connect to HTTP_PROXY or ALL_PROXY. Linux connects to the machine
  // itself at 0.0.0.0 (https://man7.org/linux/man-pages/man7/ip.7.html, INADDR_ANY).
  const connect = (hostname: string): Promise<Deno.Conn> =>
    (tls ? Deno.connectTls : Deno.connect)({ hostname, port });
  // A network of Docker often has no IPv6, not even ::1; and with the sysctl
  // bindv6only, :: takes no IPv4.
  const connection = hostname === "::"
    ? await connect("127.0.0.1").catch(() => connect("::1"))
    : await connect(hostname);
  await connection.write(new TextEncoder().encode(
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  ));
  const response = await new Response(connection.readable).text();
  Deno.exit(response.startsWith("HTTP/1.1 200 ") ? 0 : 1);
} catch {
  Deno.exit(1);
}
