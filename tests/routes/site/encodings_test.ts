import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import zlib from "node:zlib";
import { compress, preferredEncoding } from "../../../routes/site/encodings.ts";

Deno.test("preferredEncoding() takes the acceptable coding with the greatest weight", () => {
  const expected: Record<string, (string | null)[]> = {
    br: [
      "br",
      "BR",
      "gzip, deflate, br, zstd", // Chrome and Firefox
      "gzip, br",
      "*",
      "*;q=0.001",
      "br;q=1.000, gzip;q=0.999",
      "br;q=0.5, identity;q=0.5, gzip;q=0.5", // a tie
      "identity;q=0.4, br;q=0.5",
      "gzip;q=0.1, *;q=0.2",
      "identity;q=0, br;q=0.001",
      "identity;q=0, *",
      "*;q=0, br",
      "br;Q=0.5",
      " , ,br,, ",
      "\tbr ;\tq=1\t",
      "br;q=0, br", // the last one counts
    ],
    gzip: [
      "gzip",
      "gzip, deflate", // Chrome over plain HTTP
      "gzip;q=0.5",
      "gzip, br;q=0.999",
      "br;q=0, gzip;q=0.1",
      "br;q=0, *",
      "gzip, *;q=0.5",
      "*;q=0, gzip;q=0.1",
      "identity;q=0, gzip;q=0.1",
      "identity;q=0.5, gzip;q=0.5",
    ],
    identity: [
      null,
      "",
      " ",
      ",",
      "identity",
      "deflate, zstd",
      "identity, br;q=0.9, gzip;q=0.9",
      "identity, *;q=0.5",
      "gzip;q=0.5, br;q=0, *", // * is for identity too
      "br;q=0",
      "br;q=0.000, gzip;q=0.",
      // Nothing is acceptable, so the field is ignored.
      "*;q=0",
      "identity;q=0",
      "identity;q=0, deflate",
      "identity;q=0, *;q=0",
      // Not readable.
      "br;q=1.1",
      "br;q=0.1234",
      "br;q=-1",
      "br;q=",
      "br;q",
      "br;",
      "br;level=1",
      "br;q=1;q=1",
      "br;q=1;level=1",
      "br; q = 1",
      'br;q="1"',
      "br gzip",
      "br/gzip",
      "br, @",
      "gzip, br\u00e5",
      "br,\u00a0",
    ],
  };
  for (const [encoding, fields] of Object.entries(expected)) {
    for (const field of fields) {
      assertEquals(preferredEncoding(field), encoding, `${field}`);
    }
  }
});

Deno.test("compress() makes a body that decompresses to the same bytes", async () => {
  for (const length of [0, 1, 1000, 100_000]) {
    const body = Buffer.from("Lösenord ".repeat(length));
    const brotli = await compress(body, "br");
    const gzip = await compress(body, "gzip");
    assert(zlib.brotliDecompressSync(brotli).equals(body));
    assert(zlib.gunzipSync(gzip).equals(body));
    assertEquals(brotli.length < body.length, length >= 1000);
    assertEquals(gzip.length < body.length, length >= 1000);
  }
});
