import { assertEquals } from "@std/assert";
import { ROOT } from "./helpers/program.ts";

Deno.test("docs/runbook.md has a section for every alert, and no other; each alert links to it", async () => {
  const runbook = await Deno.readTextFile(`${ROOT}docs/runbook.md`);
  const rules = await Deno.readTextFile(`${ROOT}deploy/prometheus-rules.yaml`);
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) =>
    name!
  );
  const [, part] = /^## Alerts\n(.*?)^## /ms.exec(runbook)!;
  const sections = [...part!.matchAll(/^### (\w+)$/gm)];
  assertEquals(sections.map(([, name]) => name), [...new Set(alerts)]);
  const links = [...rules.matchAll(/runbook: (\S+)/g)].map(([, link]) => link);
  assertEquals(
    links,
    alerts.map((name) => `docs/runbook.md#${name.toLowerCase()}`),
  );
});
