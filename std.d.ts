// The mirror of the standard library on npm has no types. These are the types of
// the official packages, of what is in use. `deno task jsr`, which takes those,
// removes this file.

declare module "@std/assert" {
  type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;
  function assert(expr: unknown, msg?: string): asserts expr;
  function assertAlmostEquals(
    actual: number,
    expected: number,
    tolerance: number,
  ): void;
  function assertEquals<T>(actual: T, expected: T, msg?: string): void;
  function assertMatch(actual: string, expected: RegExp, msg?: string): void;
  function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;
  function assertStringIncludes(actual: string, expected: string): void;
  function assertThrows<E extends Error>(
    fn: () => unknown,
    errorClass: ErrorClass<E>,
    msgIncludes?: string,
  ): E;
  function assertRejects<E extends Error>(
    fn: () => PromiseLike<unknown>,
    errorClass: ErrorClass<E>,
    msgIncludes?: string,
  ): Promise<E>;
}

declare module "@std/http/etag" {
  function eTag(entity: Uint8Array): Promise<string>;
  function ifNoneMatch(value: string | null, etag: string): boolean;
}

declare module "@std/http/negotiation" {
  function acceptsEncodings(
    request: Pick<Request, "headers">,
    ...encodings: string[]
  ): string | undefined;
  function acceptsLanguages(request: Pick<Request, "headers">): string[];
}

declare module "@std/http/status" {
  type ErrorStatus = 400 | 404 | 405 | 408 | 413 | 415 | 429 | 500 | 503;
  const STATUS_TEXT: Readonly<Record<ErrorStatus, string>>;
}

declare module "@std/path" {
  function basename(path: string): string;
  function dirname(path: string): string;
  function fromFileUrl(url: string | URL): string;
}

declare module "@std/testing/mock" {
  type MethodSpy = Disposable & { calls: readonly unknown[] };
  function spy<Self>(self: Self, property: keyof Self): MethodSpy;
  function stub<Self, Property extends keyof Self>(
    self: Self,
    property: Property,
    replacement: Self[Property],
  ): MethodSpy;
}

declare module "@std/yaml" {
  function parse(content: string): unknown;
}
