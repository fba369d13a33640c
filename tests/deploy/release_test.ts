/**
 * The parts of a release that need no GitHub: the text, the bill of materials,
 * the checksums and the permissions of the workflow.
 */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { parse } from "@std/yaml";
import metadata from "../../deno.json" with { type: "json" };
import { changelogSection } from "../../tools/changelog.ts";
import { unpinned } from "../../tools/ci_lint.ts";
import type { Sbom } from "../../tools/sbom.ts";
import { tempDir } from "../helpers/files.ts";
import { end, isInstalled, ROOT, spawn, unless } from "../helpers/program.ts";

/** Runs a task of deno.json. */
const task = (...args: string[]) =>
  end(spawn(Deno.execPath(), ["task", "-q", ...args]));

Deno.test("changelog prints the section of each version in CHANGELOG.md", async () => {
  const changelog = await Deno.readTextFile(`${ROOT}CHANGELOG.md`);
  const versions = [...changelog.matchAll(/^## \[(\d.*)\] - /gm)];
  assert(versions.length > 0);
  let position = 0;
  for (const [, version] of versions) {
    const { code, stdout } = await task("changelog", version!);
    assertEquals(code, 0);
    assertMatch(stdout, /^### /);
    assert(!/^## /m.test(stdout));
    const start = changelog.indexOf(stdout.trim());
    assert(start > position, version);
    position = start;
  }
  for (const version of ["9.9.9", "Unreleased", ""]) {
    const { code, stdout, stderr } = await task("changelog", version);
    assertEquals([code, stdout], [1, ""]);
    assertMatch(stderr, /^Cannot find .*\n$/);
  }
});

Deno.test("changelogSection refuses a version without a date or without a text", () => {
  const changelog =
    "## [3.0.0]\n\n- C\n\n## [2.0.0] - 2027-01-31\n\n## [1.0.0] - 2026-11-21\n\n- A\n";
  assertEquals(changelogSection(changelog, "1.0.0"), "- A\n");
  for (const version of ["3.0.0", "2.0.0", "1.0", "1x0.0"]) {
    assertThrows(() => changelogSection(changelog, version), RangeError);
  }
});

Deno.test("the version is that of a release only if nothing is unreleased", async () => {
  const changelog = await Deno.readTextFile(`${ROOT}CHANGELOG.md`);
  const isReleased = changelog.includes(`\n## [${metadata.version}] - `);
  assertEquals(metadata.version.endsWith("-dev"), !isReleased);
  if (isReleased) assertMatch(changelog, /^## \[Unreleased\]\n\n## /m);
});

Deno.test("sbom lists the packages of deno.lock and the Deno runtime, with hashes", async () => {
  const { code, stdout, stderr } = await task("sbom");
  assertEquals([code, stderr], [0, ""]);
  const sbom: Sbom = JSON.parse(stdout);
  assertEquals(sbom.metadata.component.version, metadata.version);
  const [runtime, ...packages] = sbom.components;
  assertEquals(runtime!.purl, `pkg:generic/deno@${Deno.version.deno}`);
  const lock = JSON.parse(await Deno.readTextFile(`${ROOT}deno.lock`));
  assertEquals(
    packages.map(({ purl, hashes }) => [
      purl.slice("pkg:npm/".length),
      `sha512-${Uint8Array.fromHex(hashes![0]!.content).toBase64()}`,
    ]),
    Object.entries<{ integrity: string }>(lock.npm)
      .map(([id, { integrity }]) => [id, integrity]),
  );
  // Only @std/testing/mock comes from this version.
  const excluded = packages.filter(({ scope }) => scope === "excluded");
  assertEquals(excluded.map(({ purl }) => purl), ["pkg:npm/deno-std@1.3.1"]);
});

/** A job of a workflow. */
interface Job {
  needs?: string | string[];
  permissions: Record<string, string>;
  env?: Record<string, string>;
  steps?: Step[];
}

interface Step {
  id?: string;
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

const release = parse(
  await Deno.readTextFile(`${ROOT}.github/workflows/release.yml`),
) as { permissions: Record<string, string>; jobs: Record<string, Job> };

/** The command of a step of the release. */
function command(job: string, name: string): string {
  const step = release.jobs[job]!.steps!.find((step) => step.name === name);
  assert(step?.run, name);
  return step.run;
}

Deno.test("the release publishes nothing before the tag is compared with the version", () => {
  assertEquals(release.jobs["image"]!.needs, "executables");
  const { steps } = release.jobs["executables"]!;
  const compare = steps!.findIndex(({ name }) =>
    name === "Compare the tag with the version"
  );
  const upload = steps!.findIndex(({ uses }) =>
    uses?.startsWith("actions/upload-artifact@")
  );
  assert(0 <= compare && compare < upload);
});

Deno.test("the release has a draft, and only a job without code of the repository can sign", () => {
  assertMatch(command("draft", "Make the draft"), / --draft /);
  assertEquals(release.permissions, {});
  const holders = (permission: string) =>
    Object.entries(release.jobs)
      .filter(([, job]) => job.permissions[permission] === "write")
      .map(([name]) => name);
  assertEquals(holders("id-token"), ["provenance"]);
  assertEquals(holders("attestations"), ["provenance"]);
  const steps = release.jobs["provenance"]!.steps!;
  assert(!steps.some(({ uses }) => uses?.startsWith("actions/checkout@")));
  assertEquals(holders("packages"), ["image", "provenance"]);
  assertEquals(holders("contents"), ["draft"]);
});

Deno.test("only the steps of a workflow that need a token have it", async () => {
  for (const file of ["ci.yml", "release.yml"]) {
    const text = await Deno.readTextFile(`${ROOT}.github/workflows/${file}`);
    const { jobs } = parse(text) as { jobs: Record<string, Job> };
    for (const [job, { env, steps }] of Object.entries(jobs)) {
      assertEquals(env, undefined, job);
      for (const { uses, run, with: options, env } of steps ?? []) {
        // By default, the token stays in .git/config for all later steps.
        if (uses?.startsWith("actions/checkout@")) {
          assertEquals(options?.["persist-credentials"], false, job);
        }
        const callsGh = run?.startsWith("gh ") ?? false;
        assertEquals("GH_TOKEN" in (env ?? {}), callsGh, run);
      }
    }
  }
});

Deno.test("each workflow pins its actions by their commits", async () => {
  let actions = 0;
  for await (const { name } of Deno.readDir(`${ROOT}.github/workflows`)) {
    const text = await Deno.readTextFile(`${ROOT}.github/workflows/${name}`);
    assertEquals(unpinned(text), [], name);
    actions += text.split("uses:").length - 1;
    assert(text.includes(`DENO_VERSION: ${Deno.version.deno}\n`), name);
  }
  assert(actions > 10, String(actions));
  for (const action of ["a/b@v1", "a/b@main", `a/b@${"0".repeat(40)}`]) {
    assertEquals(unpinned(`    - uses: ${action}\n`), [action]);
  }
});

const wrongSystem = Deno.build.os === "linux"
  ? ""
  : "not the system of the workflow";
const onLinux = unless(wrongSystem);
onLinux.test("the steps of the release refuse a tag of another version, and name the image", async () => {
  const compare = command("executables", "Compare the tag with the version");
  const { version } = metadata;
  const codes = { [`v${version}`]: 0, [`v${version}1`]: 1, [version]: 1 };
  for (const [tag, expected] of Object.entries(codes)) {
    const env = { GITHUB_REF_NAME: tag };
    const { code } = await end(spawn("bash", ["-ec", compare], env));
    assertEquals(code, expected, tag);
  }
  const env = {
    GITHUB_REPOSITORY: "Owner/Name",
    GITHUB_REF_NAME: "v1.0.0",
    GITHUB_OUTPUT: "/dev/stdout",
    IMAGE: "ghcr.io/owner/name@sha256:0",
    BASE: "denoland/deno:1@sha256:1",
  };
  const outputs = ["Name the image", "Get the version"]
    .map((name) => command("image", name)).join("\n");
  const { stdout } = await end(spawn("bash", ["-ec", outputs], env));
  assertEquals(stdout, "name=ghcr.io/owner/name\nversion=1.0.0\n");

  await using folder = await tempDir();
  const text = command("draft", "Write the text")
    .replaceAll("notes.md", `${folder.path}/notes.md`);
  const written = await end(spawn("bash", ["-ec", text], env));
  assertEquals(written.code, 0, written.stderr);
  const notes = await Deno.readTextFile(`${folder.path}/notes.md`);
  assertMatch(
    notes,
    /^### Added\n[^]+\n\nThe image .*: `ghcr.io\/owner\/name@sha256:0`, built on `denoland\/deno:1@sha256:1`\n$/,
  );
});

const withJq = unless(
  await isInstalled("jq") ? wrongSystem : "no jq (Debian: jq)",
);
withJq.test("the release pins the base image of the Dockerfile by its digest", async () => {
  const { id } = release.jobs["image"]!.steps!.find(({ name }) =>
    name === "Pin the base image"
  )!;
  const build = release.jobs["image"]!.steps!.find(({ uses }) =>
    uses?.startsWith("docker/build-push-action@")
  )!;
  assertEquals(
    build.with!["build-args"],
    `DENO=\${{ steps.${id}.outputs.image }}`,
  );
  // No registry can be reached: this prints what Docker would.
  const docker = `docker() { echo '{"digest":"sha256:0","size":1}'; }`;
  const pin = `${docker}\n${command("image", "Pin the base image")}`;
  const env = { GITHUB_OUTPUT: "/dev/stdout" };
  const { code, stdout } = await end(spawn("bash", ["-ec", pin], env));
  const image = `denoland/deno:distroless-${Deno.version.deno}`;
  assertEquals([code, stdout], [0, `image=${image}@sha256:0\n`]);
  const failing = pin.replace("echo", "false");
  assertEquals((await end(spawn("bash", ["-ec", failing], env))).code, 1);
});

const withSums = unless(await isInstalled("sha256sum") ? "" : "no sha256sum");
withSums.test("the checksums of the release cover every file, and show a change", async () => {
  await using folder = await tempDir();
  const cwd = folder.path;
  const shell = (command: string) =>
    end(spawn("bash", ["-ec", command], {}, { cwd }));
  const compile = await Deno.readTextFile(`${ROOT}deploy/compile.ts`);
  const names = [...compile.matchAll(/^ {2}"(\w+-\w+-[\w-]+)",$/gm)]
    .map(([, target]) => `pwgen-api-${target}`);
  assertEquals(names.length, 5);
  for (const name of [...names, "pwgen-api.cdx.json", "openapi.json"]) {
    await Deno.writeTextFile(`${cwd}/${name}`, name);
  }
  const sum = command("executables", "Write the checksums");
  assertEquals((await shell(sum)).code, 0);
  const check = command("draft", "Verify the checksums");
  const { code, stdout } = await shell(check);
  assertEquals([code, stdout.split(": OK\n").length], [0, 8]);
  await Deno.writeTextFile(`${cwd}/${names[0]}`, "changed");
  assertEquals((await shell(check)).code, 1);
});
