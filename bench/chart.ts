/**
 * A chart of ratios as SVG, for light and dark pages.
 *
 * @module
 */

/** One comparison. */
export interface Panel {
  readonly title: string;
  /** The ratios by name. Ours is 1. */
  readonly ratios: Readonly<Record<string, number>>;
  /** What the bars do not show, a line each. */
  readonly notes: readonly string[];
}

const STYLE =
  "text{font:13px system-ui,sans-serif;fill:#1f2328}.b{font-weight:600}.n{fill:#59636e}" +
  "rect{fill:#8c959f}.o{fill:#0969da}" +
  "@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.n{fill:#9198a1}rect{fill:#656c76}.o{fill:#4493f8}}";

/** Positions and lengths, in pixels. */
const [WIDTH, LINE, BAR_START, BAR_LENGTH] = [720, 22, 150, 480];

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Two runs differ by more than the second decimal. */
const shown = (ratio: number) => ratio.toFixed(1);

/** Writes what a chart shows as a text. */
function textOf(panels: readonly Panel[]): string {
  return panels.map(({ title, ratios }) =>
    `${title}: ${
      Object.entries(ratios).map(([name, ratio]) => `${name} ${shown(ratio)}`)
        .join(", ")
    }.`
  ).join(" ");
}

/**
 * Draws bars, the shortest of a panel first.
 *
 * @param panels the comparisons, from top to bottom
 * @param ours the name whose bars have another colour
 * @returns the SVG, whose title is its text
 *
 * @example
 * ```ts
 * import { chartOf } from "./chart.ts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const ratios = { ours: 1, theirs: 2.5 };
 * const svg = chartOf([{ title: "Time", ratios, notes: [] }], "ours");
 * assertStringIncludes(svg, "<title>Time: ours 1.0, theirs 2.5.</title>");
 * ```
 */
export function chartOf(panels: readonly Panel[], ours: string): string {
  const sorted = panels.map((panel) => ({
    ...panel,
    ratios: Object.fromEntries(
      Object.entries(panel.ratios).sort(([, a], [, b]) => a - b),
    ),
  }));
  const parts: string[] = [];
  let y = 0;
  const write = (x: number, text: string, kind = "") =>
    parts.push(
      `<text x="${x}" y="${y}"${kind && ` class="${kind}"`}>${
        escape(text)
      }</text>`,
    );
  for (const { title, ratios, notes } of sorted) {
    y += LINE;
    write(0, title, "b");
    const longest = Math.max(...Object.values(ratios));
    for (const [name, ratio] of Object.entries(ratios)) {
      y += LINE;
      const isOurs = name === ours;
      const length = Math.round(BAR_LENGTH * ratio / longest);
      write(0, name, isOurs ? "b" : "");
      parts.push(
        `<rect x="${BAR_START}" y="${
          y - 12
        }" width="${length}" height="14" rx="2"${isOurs ? ' class="o"' : ""}/>`,
      );
      write(BAR_START + length + 8, shown(ratio), isOurs ? "b" : "");
    }
    for (const note of notes) {
      y += LINE;
      write(0, note, "n");
    }
    y += LINE / 2;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img">
<title>${escape(textOf(sorted))}</title>
<style>${STYLE}</style>
${parts.join("\n")}
</svg>
`;
}
