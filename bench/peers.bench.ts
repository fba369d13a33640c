/**
 * Compares the library with packages of npm: `deno task bench`.
 *
 * @module
 */
import { LIBRARIES, OURS } from "./peers/library.ts";

for (const [group, libraries] of Object.entries(LIBRARIES)) {
  for (const [name, generate] of Object.entries(libraries)) {
    Deno.bench(name, { group, baseline: name === OURS }, () => {
      generate();
    });
  }
}
