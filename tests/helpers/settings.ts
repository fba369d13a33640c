/**
 * Combinations of the values of fields.
 *
 * @module
 */

/** The values of each field. */
type Values<T> = { readonly [Name in keyof T]: readonly T[Name][] };

/** The values of a boolean field. */
export const BOTH: readonly boolean[] = [false, true];

/** All combinations of the values. The values of the last field vary first. */
export function combinations<T extends object>(values: Values<T>): T[] {
  let all: object[] = [{}];
  for (const [name, each] of Object.entries<readonly unknown[]>(values)) {
    all = all.flatMap((row) =>
      each.map((value) => ({ ...row, [name]: value }))
    );
  }
  return all as T[];
}

/**
 * Combinations of fields that do not interact: every two values of two fields
 * occur together. One more field adds a few combinations.
 */
export function pairs<T extends object>(values: Values<T>): T[] {
  const seen = new Set<string>();
  return combinations(values).filter((row) => {
    const { size } = seen;
    const cells = Object.entries(row).map(([name, value]) =>
      `${name} ${value}`
    );
    for (const [i, cell] of cells.entries()) {
      for (const other of cells.slice(i + 1)) seen.add(`${cell}, ${other}`);
    }
    return seen.size > size;
  });
}
