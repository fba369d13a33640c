/**
 * What a user could write in place of the service: Fastify on Node, with its schema,
 * a rate limiter and generate-password, whose packages are in NODE_PATH.
 */
const fastify = require("fastify");
const generator = require("generate-password");

const app = fastify({ trustProxy: "loopback" });
app.register(require("@fastify/rate-limit"), {
  max: 60,
  timeWindow: "1 minute",
});

const boolean = { type: "boolean", default: true };
const schema = {
  body: {
    type: "object",
    properties: {
      length: { type: "integer", minimum: 4, maximum: 128, default: 20 },
      lowercase: boolean,
      uppercase: boolean,
      numbers: boolean,
      symbols: boolean,
    },
  },
  response: {
    200: {
      type: "object",
      properties: {
        password: { type: "string" },
        length: { type: "integer" },
        type: { type: "string" },
      },
    },
  },
};
// Only the routes after the rate limiter are limited.
app.after(() => {
  app.post("/api/pwgen/characters", { schema }, async ({ body }) => {
    const password = generator.generate({ ...body, strict: true });
    return { password, length: password.length, type: "characters" };
  });
});

app.listen({ host: "127.0.0.1", port: 0 }).then((url) => {
  // deno-lint-ignore no-console
  console.log(`pwgen-api 0.0.0: ${url}/`);
});
