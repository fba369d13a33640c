import { assert, assertEquals } from "@std/assert";
import { textFiles } from "./helpers/files.ts";

/** The parts of the program, top down. A module imports its own part or a lower row. */
const LAYERS = [
  ["main.ts"],
  ["serve.ts"],
  ["app.ts"],
  ["cli", "config.ts"],
  ["middleware", "routes"],
  ["http"],
  ["generators"],
  ["wordlists"],
  ["flags.ts", "log.ts"],
];

const partOf = (path: string) => path.split("/")[0]!;
const layerOf = (part: string) =>
  LAYERS.findIndex((parts) => parts.includes(part));

Deno.test("every import of the program points down", () => {
  const imports = [...textFiles()]
    .filter(([path]) => /\.[jt]s$/.test(path) && layerOf(partOf(path)) >= 0)
    .flatMap(([from, text]) =>
      // At the start of a line, which no example is, or in a call.
      [...text.matchAll(
        /(?:^(?:im|ex|\} from).*|import\()"(\.[^"]+\.[jt]s)"/gm,
      )]
        .map(([, path]) =>
          [from, new URL(path!, `file:///${from}`).pathname.slice(1)] as const
        )
    );
  const wrong = imports.filter(([from, to]) =>
    partOf(from) !== partOf(to) &&
    layerOf(partOf(from)) >= layerOf(partOf(to))
  );
  assertEquals(wrong, []);
  assert(imports.length > 200, `${imports.length}`);
});
