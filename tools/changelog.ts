/**
 * Prints the section of a version in CHANGELOG.md, for the text of its release.
 * Usage: deno task changelog VERSION
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { fromFileUrl } from "@std/path";

/**
 * Finds the section of a version.
 *
 * @param changelog the text of a changelog, in the format of Keep a Changelog
 * @param version a version, such as "1.0.0"
 * @returns the text below the heading, without the heading
 * @throws {RangeError} if the version has no heading with a date, or no text
 *
 * @example
 * ```ts
 * import { changelogSection } from "./changelog.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const changelog = "## [1.0.0] - 2026-11-21\n\n### Added\n\n- Everything.\n";
 * assertEquals(
 *   changelogSection(changelog, "1.0.0"),
 *   "### Added\n\n- Everything.\n",
 * );
 * ```
 */
export function changelogSection(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`[${version}] - `));
  const [, text] = section?.match(/^\S+ - \d{4}-\d\d-\d\d\n([^]*)$/) ?? [];
  if (text === undefined) {
    throw new RangeError(
      `Cannot find "## [${version}] - " with a date in CHANGELOG.md`,
    );
  }
  if (text.trim() === "") {
    throw new RangeError(`Cannot find a text for ${version} in CHANGELOG.md`);
  }
  return `${text.trim()}\n`;
}

if (import.meta.main) {
  const [version = ""] = Deno.args;
  const path = fromFileUrl(import.meta.resolve("../CHANGELOG.md"));
  try {
    const text = changelogSection(await Deno.readTextFile(path), version);
    await Deno.stdout.write(new TextEncoder().encode(text));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    Deno.exit(1);
  }
}
