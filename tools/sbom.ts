/**
 * Prints a software bill of materials (SBOM) of the release: CycloneDX 1.6 in
 * JSON, from deno.lock. Usage: deno task sbom
 *
 * @module
 */
// deno-lint-ignore-file no-console
import metadata from "../deno.json" with { type: "json" };

// A JSON import needs the extension ".json".
const lock: { npm: Record<string, { integrity: string }> } = JSON.parse(
  await Deno.readTextFile(new URL("../deno.lock", import.meta.url)),
);

/**
 * A component that a package URL identifies
 * (https://github.com/package-url/purl-spec).
 */
function component(
  type: "application" | "library" | "platform",
  kind: "generic" | "npm",
  name: string,
  version: string,
) {
  // The scope of an npm package is a namespace, whose "@" is encoded.
  const purl = `pkg:${kind}/${name.replace("@", "%40")}@${version}`;
  return { "bom-ref": purl, type, name, version, purl };
}

/** What a program consists of; "excluded" if only tests use it. */
type Part = ReturnType<typeof component> & {
  scope: "required" | "excluded";
  hashes?: { alg: "SHA-512"; content: string }[];
};

/** The hash of an npm package: base64 in the lock file, hexadecimal here. */
function sha512(integrity: string): string {
  const [, base64] = /^sha512-(.*)$/.exec(integrity)!;
  return Uint8Array.fromBase64(base64!).toHex();
}

/** A bill of materials. `deno task deploy:lint` checks it with its JSON schema. */
export type Sbom = ReturnType<typeof sbom>;

/**
 * Describes the release.
 *
 * @param used the npm packages that the program itself imports, such as
 *   "deno-std@1.4.0"; all others are marked as excluded
 * @returns the bill of materials
 */
export function sbom(used: readonly string[]) {
  const program = {
    ...component("application", "generic", "pwgen-api", metadata.version),
    licenses: [{ license: { id: metadata.license } }],
  };
  const components: Part[] = [
    // The executables and the image contain this runtime.
    {
      ...component("platform", "generic", "deno", Deno.version.deno),
      scope: "required",
    },
    ...Object.entries(lock.npm).map(([id, { integrity }]): Part => {
      const at = id.lastIndexOf("@");
      return {
        ...component("library", "npm", id.slice(0, at), id.slice(at + 1)),
        scope: used.includes(id) ? "required" : "excluded",
        hashes: [{ alg: "SHA-512", content: sha512(integrity) }],
      };
    }),
  ];
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${crypto.randomUUID()}`,
    version: 1,
    metadata: { timestamp: new Date().toISOString(), component: program },
    components,
    dependencies: [
      {
        ref: program["bom-ref"],
        dependsOn: components.map((component) => component["bom-ref"]),
      },
      // The lock file names the dependencies of a package, if it has any.
      ...components.map((component) => ({
        ref: component["bom-ref"],
        dependsOn: [],
      })),
    ],
  };
}

/** A module in the output of `deno info --json`. */
interface Module {
  specifier: string;
  npmPackage?: string;
  dependencies?: { code?: { specifier: string } }[];
}

/**
 * The npm packages that main.ts imports, directly or not. Types do not count: no
 * process loads them.
 */
async function usedPackages(): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "main.ts"],
    cwd: new URL("../", import.meta.url),
  }).output();
  const graph: {
    roots: string[];
    modules: Module[];
    redirects: Record<string, string>;
  } = JSON.parse(new TextDecoder().decode(stdout));
  const modules = new Map(graph.modules.map((m) => [m.specifier, m]));
  // The set grows while the loop runs.
  const reached = new Set(graph.roots);
  const packages = new Set<string>();
  for (const specifier of reached) {
    const module = modules.get(graph.redirects[specifier] ?? specifier);
    if (module?.npmPackage) packages.add(module.npmPackage);
    for (const { code } of module?.dependencies ?? []) {
      if (code) reached.add(code.specifier);
    }
  }
  return [...packages];
}

if (import.meta.main) {
  console.log(JSON.stringify(sbom(await usedPackages()), null, 2));
}
