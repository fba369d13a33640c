// The mirror of the standard library on npm has no types. These are the types of
// the official packages, for the symbols in use. `deno task jsr`, which takes
// those, removes this file.

declare module "@std/assert" {
  export function assert(expr: unknown, msg?: string): asserts expr;
  export function assertAlmostEquals(
    actual: number,
    expected: number,
    tolerance?: number,
    msg?: string,
  ): void;
  export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertMatch(
    actual: string,
    expected: RegExp,
    msg?: string,
  ): void;
  export function assertNotMatch(
    actual: string,
    expected: RegExp,
    msg?: string,
  ): void;
  export function assertStringIncludes(
    actual: string,
    expected: string,
    msg?: string,
  ): void;
  export function assertThrows<E extends Error = Error>(
    fn: () => unknown,
    // deno-lint-ignore no-explicit-any
    ErrorClass: abstract new (...args: any[]) => E,
    msgIncludes?: string,
    msg?: string,
  ): E;
  export function assertRejects<E extends Error = Error>(
    fn: () => PromiseLike<unknown>,
    // deno-lint-ignore no-explicit-any
    ErrorClass: abstract new (...args: any[]) => E,
    msgIncludes?: string,
    msg?: string,
  ): Promise<E>;
}

declare module "@std/http/etag" {
  export function eTag(entity: string | Uint8Array): Promise<string>;
  export function ifNoneMatch(value: string | null, etag: string): boolean;
}

declare module "@std/http/negotiation" {
  export function acceptsLanguages(
    request: Pick<Request, "headers">,
  ): string[];
  export function acceptsLanguages(
    request: Pick<Request, "headers">,
    ...langs: string[]
  ): string | undefined;
}

declare module "@std/http/status" {
  export const STATUS_TEXT: {
    readonly 400: "Bad Request";
    readonly 404: "Not Found";
    readonly 405: "Method Not Allowed";
    readonly 408: "Request Timeout";
    readonly 413: "Content Too Large";
    readonly 415: "Unsupported Media Type";
    readonly 429: "Too Many Requests";
    readonly 500: "Internal Server Error";
    readonly 503: "Service Unavailable";
  };
}

declare module "@std/path" {
  export function dirname(path: string): string;
  export function fromFileUrl(url: string | URL): string;
  export function join(path: string, ...paths: string[]): string;
}

declare module "@std/testing/mock" {
  export interface MethodSpy {
    calls: { args: unknown[]; returned?: unknown }[];
    restore(): void;
    [Symbol.dispose](): void;
  }
  export function spy<Self, Prop extends keyof Self>(
    self: Self,
    property: Prop,
  ): MethodSpy;
  export function stub<Self, Prop extends keyof Self>(
    self: Self,
    property: Prop,
    replacement: Self[Prop],
  ): MethodSpy;
}

declare module "@std/text/closest-string" {
  export function closestString(
    givenWord: string,
    possibleWords: readonly string[],
  ): string;
}

declare module "@std/yaml" {
  export function parse(content: string): unknown;
}
