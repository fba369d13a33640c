/**
 * A bare Deno.serve that reads the body and answers what the service answers,
 * byte for byte as many and with the same header fields: the limit of what the
 * service can reach. Usage: bare.ts ANSWER, a JSON array of status, media type,
 * body and header fields.
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
  // deno-lint-ignore no-console
  onListen: ({ port }) => console.log(`bare: http://127.0.0.1:${port}/`),
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
