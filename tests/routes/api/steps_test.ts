import { assert } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { end, spawn } from "../../helpers/program.ts";

const SPECIALS = "!#$%&()*+,-./:;<=>?@[]^_{|}~";
/** Six sets that overlap: all 64 terms have ranges of many lengths. */
const SIX = [..."aceADF"].map((c, i) => `required: [${c}${i}]`).join("; ");
/** Six single characters, which few short strings have. */
const RARE = [..."mM5dTh"].map((c) => `required: [${c}]`).join("; ");

/** Requests, and how many thousand steps they may take. */
const REQUESTS: [type: string, body: Record<string, unknown>, most: number][] =
  [
    ["characters", {}, 10],
    ["characters", { count: 100, length: 128, swedishCharacters: true }, 100],
    ["characters", { minimumEntropy: 512, specialCharacterSet: SPECIALS }, 20],
    [
      "words",
      {
        ...{ language: "sv", wordCount: 10, maximumLength: 240, count: 100 },
        ...{ numberLength: 12, numberPosition: "all", casing: "upper" },
        ...{ replaceSwedishCharacters: true, minimumEntropy: 100 },
        replaceWithSpecialCharacters: true,
      },
      200,
    ],
    ["sentence", { maximumLength: 200, minimumEntropy: 512, count: 100 }, 50],
    // One length of 20 characters, and all lengths.
    ["characters", { passwordRules: `${SIX}; max-consecutive: 2` }, 60],
    ...([
      [`${SIX}; allowed: ascii-printable; max-consecutive: 1`, 1300],
      [`${SIX}; max-consecutive: 1`, 800],
      [
        `${SIX}; allowed: lower, upper; max-repeating: 1; max-sequential: 6`,
        1200,
      ],
      [
        `${RARE}; allowed: ascii-printable; max-consecutive: 1; minlength: 6`,
        1200,
      ],
    ] as const).map(([passwordRules, most]) =>
      [
        "characters",
        { passwordRules, minimumEntropy: 300, count: 10 },
        most,
      ] satisfies typeof REQUESTS[number]
    ),
  ];

Deno.test("every request takes few steps, of which a machine does a million in some milliseconds", async () => {
  const program = fromFileUrl(import.meta.resolve("../../helpers/steps.ts"));
  const { stdout, stderr } = await end(
    spawn(Deno.execPath(), [
      ...["run", "--frozen", "--allow-all", program],
      JSON.stringify(REQUESTS.map(([type, body]) => [type, body])),
    ]),
  );
  const counts: number[] = JSON.parse(stdout || stderr);
  for (const [i, [, body, most]] of REQUESTS.entries()) {
    assert(counts[i]! < 1000 * most, `${counts[i]} ${JSON.stringify(body)}`);
  }
});
