/**
 * A program that tries what Deno lets a process write without --allow-write.
 * Deno runs it before the service, with the permissions of the service.
 *
 * @module
 */

const PROGRAM = `
  const refused = [];
  const tries = {
    localStorage: () => localStorage.setItem("a", "b"),
    caches: () => caches.open("a"),
    openKv: () => Deno.openKv(),
  };
  for (const [name, attempt] of Object.entries(tries)) {
    try { await attempt() } catch { refused.push(name) }
  }
  console.error("Refused:", refused.join(" "));`;

/** The program as a URL, for the flag --preload. */
export const STORAGE_PROBE: string = `data:text/javascript,${
  encodeURIComponent(PROGRAM)
}`;

/** What the program prints if each attempt fails. */
export const STORAGE_REFUSED = /^Refused: localStorage caches openKv$/m;
