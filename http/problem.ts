/**
 * Problem details (RFC 9457): the body of every error response.
 *
 * @module
 */
import { STATUS_TEXT } from "@std/http/status";

export type ProblemStatus = 400 | 404 | 405 | 408 | 413 | 415 | 429 | 500 | 503;

/** The section of an RFC that defines each status. */
const SECTIONS: Readonly<Record<ProblemStatus, string>> = {
  400: "rfc9110#section-15.5.1",
  404: "rfc9110#section-15.5.5",
  405: "rfc9110#section-15.5.6",
  408: "rfc9110#section-15.5.9",
  413: "rfc9110#section-15.5.14",
  415: "rfc9110#section-15.5.16",
  429: "rfc6585#section-4",
  500: "rfc9110#section-15.6.1",
  503: "rfc9110#section-15.6.4",
};

/**
 * The longest path that a problem repeats, in characters. A 404 must stay small,
 * since a client can leave thousands of them unread.
 */
const MAX_INSTANCE = 200;

/** The errors of each field; `$` stands for the body as a whole. */
type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * The reason why a request fails. It is a return value and not an exception, so
 * that a wrong field costs no stack trace.
 */
export class Problem {
  constructor(
    readonly status: ProblemStatus,
    /** One sentence for a person. */
    readonly detail: string,
    /** Header fields that belong to the status, such as Allow to 405. */
    readonly headers: Readonly<Record<string, string>> = {},
    /** Only for a validation failure. */
    readonly errors?: FieldErrors,
    /** Why fields do not fit together, by field, for programs. */
    readonly limits: Readonly<Record<string, object>> = {},
  ) {}

  static ofFields(errors: FieldErrors, limits?: Problem["limits"]): Problem {
    const names = Object.keys(errors);
    const detail = names.length === 1 && names[0] === "$"
      ? "The request body is not acceptable; see errors."
      : `Not acceptable: ${names.join(", ")}; see errors.`;
    return new Problem(400, detail, {}, errors, limits);
  }

  /** The members of RFC 9457; for a validation failure, also `errors` and `limits`. */
  details(path: string): Record<string, unknown> {
    return {
      type: `https://www.rfc-editor.org/rfc/${SECTIONS[this.status]}`,
      title: this.errors === undefined
        ? STATUS_TEXT[this.status]
        : "One or more validation errors occurred.",
      status: this.status,
      detail: this.detail,
      instance: path.length <= MAX_INSTANCE ? path : null,
      ...(this.errors && { errors: this.errors }),
      ...(Object.keys(this.limits).length > 0 && { limits: this.limits }),
    };
  }

  toResponse(path: string): Response {
    const response = new Response(JSON.stringify(this.details(path)), {
      status: this.status,
      headers: { "content-type": "application/problem+json; charset=utf-8" },
    });
    for (const name in this.headers) {
      response.headers.append(name, this.headers[name]!);
    }
    return response;
  }
}

export const INTERNAL_ERROR: Problem = new Problem(
  500,
  "The service failed to answer this request.",
);

/** Retry-After is always the whole window, as API v1 defines it. */
export function tooManyRequests(limit: number, seconds: number): Problem {
  return new Problem(
    429,
    `More than ${limit} requests in ${seconds} seconds from one address.`,
    { "retry-after": String(seconds) },
  );
}
