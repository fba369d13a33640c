/**
 * Problem details (RFC 9457): the form of every error.
 *
 * @module
 */
import { STATUS_TEXT } from "@std/http/status";

/** The statuses that a problem may have. */
export type ProblemStatus =
  | 400
  | 404
  | 405
  | 408
  | 413
  | 415
  | 429
  | 500
  | 503;

/**
 * A longer path is not repeated, in characters: a 404 must stay small, since
 * answers of its kind can be left unread by the thousand.
 */
const MAX_INSTANCE = 200;

// The section that defines each status.
const TYPES: Readonly<Record<ProblemStatus, string>> = {
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

/** For each field, or `$` for the body as a whole, what is wrong with it. */
export type FieldErrors = Record<string, string[]>;

/**
 * Something that keeps a request from being answered as it asks. It is handed
 * back rather than thrown: a bad field is no exception, and costs no stack
 * trace.
 *
 * @example
 * ```ts
 * import { Problem } from "./problem.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const problem = Problem.of({ length: ["Must be an integer."] });
 * assertEquals(problem.status, 400);
 * ```
 */
export class Problem {
  /** The HTTP status. */
  readonly status: ProblemStatus;
  /** One sentence for a person to read. */
  readonly detail: string;
  /** What is wrong with which field, where that is the problem. */
  readonly errors: FieldErrors | undefined;
  /** Header fields that belong to the status, such as Allow with 405. */
  readonly headers: Readonly<Record<string, string>> | undefined;

  /**
   * Describes a problem.
   *
   * @param status the HTTP status
   * @param detail one sentence for a person to read
   * @param more field errors, and header fields that belong to the status
   */
  constructor(
    status: ProblemStatus,
    detail: string,
    more: { errors?: FieldErrors; headers?: Record<string, string> } = {},
  ) {
    this.status = status;
    this.detail = detail;
    this.errors = more.errors;
    this.headers = more.headers;
  }

  /**
   * Describes a validation failure.
   *
   * @param errors what is wrong with which field
   * @returns the problem, with status 400
   */
  static of(errors: FieldErrors): Problem {
    const names = Object.keys(errors);
    const detail = names.length === 1 && names[0] === "$"
      ? "The request body is not acceptable; see errors."
      : `Not acceptable: ${names.join(", ")}; see errors.`;
    return new Problem(400, detail, { errors });
  }

  /**
   * Makes the body of the answer that tells of the problem.
   *
   * @param instance the path of the request; null stands for one of more than
   *   200 characters
   * @returns the members of RFC 9457, and `errors` where fields are at fault
   */
  details(instance: string): Record<string, unknown> {
    return {
      type: `https://www.rfc-editor.org/rfc/${TYPES[this.status]}`,
      title: this.errors === undefined
        ? STATUS_TEXT[this.status]
        : "One or more validation errors occurred.",
      status: this.status,
      detail: this.detail,
      instance: instance.length <= MAX_INSTANCE ? instance : null,
      ...(this.errors && { errors: this.errors }),
    };
  }

  /**
   * Makes the answer that tells of the problem.
   *
   * @param instance the path of the request
   * @returns an answer of media type application/problem+json
   */
  toResponse(instance: string): Response {
    const response = new Response(JSON.stringify(this.details(instance)), {
      status: this.status,
      headers: { "content-type": "application/problem+json" },
    });
    for (const name in this.headers) {
      response.headers.append(name, this.headers[name]!);
    }
    return response;
  }
}
