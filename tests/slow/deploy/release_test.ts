/** The parts of a release that need no GitHub. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "@std/yaml";
import metadata from "../../../deno.json" with { type: "json" };
import { tempDir } from "../../helpers/files.ts";
import {
  end,
  HAS_SIGTERM,
  missing,
  ROOT,
  spawn,
  unless,
} from "../../helpers/program.ts";

/** A job of a workflow. */
interface Job {
  needs?: string | string[];
  environment?: string;
  permissions: Record<string, string>;
  steps?: {
    name?: string;
    uses?: string;
    run?: string;
    with?: Record<string, string>;
  }[];
}

const FOLDER = `${ROOT}.github/workflows/`;

const release = parse(await Deno.readTextFile(`${FOLDER}release.yml`)) as {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
};

/** The command of a step of the release. */
function command(job: string, name: string): string {
  const step = release.jobs[job]!.steps!.find((step) => step.name === name);
  assert(step?.run, name);
  return step.run;
}

Deno.test("the version is that of a release only if nothing is unreleased", async () => {
  const changelog = await Deno.readTextFile(`${ROOT}CHANGELOG.md`);
  const isReleased = changelog.includes(`\n## [${metadata.version}] - `);
  assertEquals(metadata.version.endsWith("-dev"), !isReleased);
  if (isReleased) assert(changelog.includes("\n## [Unreleased]\n\n## "));
});

Deno.test("each job of the release can write only what it must, and one without code of the repository signs", () => {
  assertEquals(release.permissions, {});
  const holders = (permission: string) =>
    Object.entries(release.jobs)
      .filter(([, job]) => job.permissions[permission] === "write")
      .map(([name]) => name);
  assertEquals(holders("id-token"), ["provenance", "npm", "jsr"]);
  assertEquals(holders("attestations"), ["provenance"]);
  for (const name of holders("id-token")) {
    const steps = release.jobs[name]!.steps!;
    assert(!steps.some(({ uses }) => uses?.startsWith("actions/checkout@")));
  }
  // A person approves what no registry takes back.
  for (const name of ["npm", "jsr"]) {
    assertEquals(release.jobs[name]!.environment, "packages");
    assertEquals(release.jobs[name]!.needs, ["library", "draft"]);
  }
  assertEquals(holders("packages"), ["image"]);
  assertEquals(holders("contents"), ["draft"]);
  // It only reads CHANGELOG.md.
  for (const { uses } of release.jobs["draft"]!.steps!) {
    assert(uses === undefined || uses.startsWith("actions/checkout@"), uses);
  }
});

Deno.test("each workflow pins its actions by their commits and BuildKit by its digest, keeps no token in .git/config, and takes Deno from .dvmrc, which names this version", async () => {
  const version = await Deno.readTextFile(`${ROOT}.dvmrc`);
  assertEquals(version.trim(), Deno.version.deno);
  for await (const { name } of Deno.readDir(FOLDER)) {
    const text = await Deno.readTextFile(FOLDER + name);
    const count = (part: string) => text.split(part).length - 1;
    assert(count("actions/checkout@") > 0, name);
    assertEquals(
      count("persist-credentials: false"),
      count("actions/checkout@"),
      name,
    );
    // Of another repository, an action is pinned as NAME@COMMIT # vTAG.
    const actions = [...text.matchAll(/^[\s-]*uses:\s*([^.\s].*)$/gm)];
    for (const [, action] of actions) {
      assertMatch(action!, /^[\w.\/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
    }
    const { jobs } = parse(text) as typeof release;
    for (const { steps = [] } of Object.values(jobs)) {
      const has = (action: string) =>
        steps.some(({ uses }) => uses?.startsWith(action));
      if (!has("denoland/setup-deno@")) continue;
      const file = steps.find(({ uses }) =>
        uses?.startsWith("denoland/setup-deno@")
      )!.with?.["deno-version-file"];
      // A job without a copy of the repository has what another job copied.
      const isHere = has("actions/checkout@");
      assertEquals(file, isHere ? ".dvmrc" : "library/deno-version", name);
      if (!isHere) {
        assert(count("run: cp .dvmrc dist/library/deno-version") > 0);
      }
    }
    const pinned = /^ *driver-opts: image=moby\/buildkit:v.*@sha256:\w{64}$/gm;
    assertEquals(
      text.match(pinned)?.length ?? 0,
      count("docker/setup-buildx-action@"),
      name,
    );
  }
});

const onUnix = unless(
  HAS_SIGTERM
    ? await missing("tar", "zip", "unzip")
    : "no tar and zip on Windows",
);
onUnix.test("pack.sh packs each executable with the licence, for Linux also with the unit that runs it", async () => {
  await using folder = await tempDir();
  const files: Record<string, string[]> = {
    "pwgen-api-x86_64-unknown-linux-gnu.tar.gz": [
      "LICENSE",
      "nginx.conf",
      "pwgen-api",
      "pwgen-api-443.conf",
      "pwgen-api-executable.conf",
      "pwgen-api-tls.conf",
      "pwgen-api.service",
    ],
    "pwgen-api-aarch64-apple-darwin.tar.gz": ["LICENSE", "pwgen-api"],
    "pwgen-api-aarch64-pc-windows-msvc.zip": ["LICENSE", "pwgen-api"],
  };
  const names = (path: string) =>
    [...Deno.readDirSync(path)].map(({ name }) => name).sort();
  const folderOf = (archive: string) =>
    `${folder.path}/${archive.replace(/\.(tar\.gz|zip)$/, "")}`;
  for (const archive of Object.keys(files)) {
    const path = folderOf(archive);
    await Deno.mkdir(path);
    await Deno.writeTextFile(`${path}/pwgen-api`, "", { mode: 0o755 });
  }
  const pack = spawn(`${ROOT}deploy/pack.sh`, [folder.path]);
  assertEquals(await end(pack), { code: 0, stdout: "", stderr: "" });
  assertEquals(names(folder.path), Object.keys(files).sort());
  for (const [archive, expected] of Object.entries(files)) {
    const command = archive.endsWith(".zip") ? "unzip -q" : "tar -xf";
    const args = ["-c", `${command} ${archive}`];
    await end(spawn("sh", args, {}, { cwd: folder.path }));
    const path = folderOf(archive);
    assertEquals(names(path), expected);
    const { mode } = await Deno.stat(`${path}/pwgen-api`);
    assertEquals(mode! & 0o777, 0o755);
  }
});

const onLinux = unless(
  Deno.build.os === "linux"
    ? await missing("jq")
    : "not the system of the workflow",
);
onLinux.test("the release refuses a tag of another version before it publishes, and names the image and its base", async () => {
  assertEquals(release.jobs["image"]!.needs, "executables");
  const compare = command("executables", "Compare the tag with the version");
  const { version } = metadata;
  const codes = { [`v${version}`]: 0, [`v${version}1`]: 1, [version]: 1 };
  for (const [tag, expected] of Object.entries(codes)) {
    const env = { GITHUB_REF_NAME: tag };
    const { code } = await end(spawn("bash", ["-ec", compare], env));
    assertEquals(code, expected, tag);
  }
  // No registry can be reached: this prints what Docker would.
  const docker = `docker() { echo '{"digest":"sha256:0","size":1}'; }`;
  const steps = ["Name the image", "Get the version", "Pin the base image"];
  const outputs = steps.map((name) => command("image", name));
  const env = {
    GITHUB_REPOSITORY: "Owner/Name",
    GITHUB_REF_NAME: "v1.0.0",
    GITHUB_OUTPUT: "/dev/stdout",
  };
  const { code, stdout } = await end(
    spawn("bash", ["-ec", [docker, ...outputs].join("\n")], env),
  );
  const base = `denoland/deno:distroless-${Deno.version.deno}@sha256:0`;
  const lines = ["name=ghcr.io/owner/name", "version=1.0.0", `image=${base}`];
  assertEquals([code, stdout], [0, `${lines.join("\n")}\n`]);
});

onLinux.test("the job npm publishes a version once, however often it runs", async () => {
  await using folder = await tempDir();
  const { path } = folder;
  await Deno.mkdir(`${path}/package`);
  await Deno.mkdir(`${path}/library`);
  await Deno.writeTextFile(
    `${path}/package/package.json`,
    '{ "name": "@pwgen/api", "version": "1.0.0" }',
  );
  const publish = command("npm", "Publish on npm");
  // No registry can be reached: this says what npm would.
  const npm = `npm() {
  if test $1 = publish; then echo "$@"; return; fi
  test "$1 $2 $3" = "view @pwgen/api@1.0.0 version" && test -n "$FOUND" && echo 1.0.0
}`;
  const pack = "tar -czf library/pwgen-api-1.0.0.tgz package";
  const lines = ["set -eo pipefail", pack, npm, publish].join("\n");
  const run = (FOUND: string) =>
    end(spawn("bash", ["-c", lines], { FOUND }, { cwd: path }));
  const first = await run("");
  assertEquals(first.code, 0, first.stderr);
  assertMatch(first.stdout, /^publish --provenance .*pwgen-api-1.0.0.tgz\n$/);
  assertEquals(await run("yes"), { code: 0, stdout: "", stderr: "" });
});
