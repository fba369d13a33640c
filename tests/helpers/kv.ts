/**
 * A database of Deno KV that several limiters use, as of several processes.
 *
 * @module
 */

/** The same database with some methods replaced. Closing it has no effect. */
export function view(kv: Deno.Kv, methods: Partial<Deno.Kv> = {}): Deno.Kv {
  return {
    get: kv.get.bind(kv),
    set: kv.set.bind(kv),
    atomic: kv.atomic.bind(kv),
    close: () => {},
    ...methods,
  } as Deno.Kv;
}
