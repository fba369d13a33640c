/**
 * The clients that people can generate from the OpenAPI document.
 *
 * @module
 */
import { parse } from "@std/yaml";
import text from "./clients.yaml" with { type: "text" };

/** A client that a generator makes. */
export interface Client {
  /** The npm package of the generator. */
  readonly name: string;
  /** What it makes. Backticks mark code. */
  readonly description: string;
  /** Shell commands that make the client in the folder of a program. */
  readonly commands: string;
  /** TypeScript that calls the client. */
  readonly code: string;
}

/** The clients. The code contains the address of the service as the examples do. */
export const CLIENTS = parse(text) as readonly Client[];
