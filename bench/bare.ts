/**
 * A bare Deno.serve that reads the body and sends a response with the same
 * bytes and header fields as the service: the upper limit of its speed.
 * Usage: bare.ts RESPONSE, a JSON array of status, media type, body and header
 * fields.
 *
 * @module
 */
const [status, type, body, ...fields] = JSON.parse(Deno.args[0]!) as [
  number,
  string,
  string,
  ...[string, string][],
];

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => {
    // deno-lint-ignore no-console
    console.log(`pwgen-api 0.0.0: http://127.0.0.1:${port}/`);
  },
}, async (request) => {
  await request.json();
  const response = new Response(body, {
    ...(status !== 200 && { status }),
    headers: { "content-type": type },
  });
  const { headers } = response;
  for (const [name, value] of fields) headers.append(name, value);
  return response;
});
