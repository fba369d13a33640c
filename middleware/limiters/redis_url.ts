/**
 * The URL of a Redis server.
 *
 * @module
 */
import type { RespAddress } from "./resp.ts";

/** The address of a Redis server and the login. */
export interface RedisAddress extends RespAddress {
  /** The name of the user; undefined for the default user. */
  readonly username: string | undefined;
  /** The password; undefined without one. */
  readonly password: string | undefined;
  /** The number of the database, from 0. */
  readonly database: number;
}

/**
 * Reads the URL of a Redis server:
 * `redis://[user[:password]@]host[:port][/database]`, or `rediss://` for TLS.
 * `valkey://` and `valkeys://` are the same.
 *
 * @param text the URL
 * @returns the address, with port 6379 and database 0 by default; undefined if
 *   the text is not such a URL
 */
export function readRedisUrl(text: string): RedisAddress | undefined {
  // Only visible ASCII, since URL silently removes line breaks.
  if (!/^(redis|valkey)s?:\/\/[!-~]+$/.test(text)) return undefined;
  const url = URL.parse(text);
  if (
    url === null || url.search !== "" || url.hash !== "" ||
    !/^(\[[\da-f:.]+\]|[\w.-]+)$/i.test(url.hostname) ||
    url.port === "0" || !/^(\/(0|[1-9]\d{0,4})?)?$/.test(url.pathname)
  ) return undefined;
  try {
    return {
      hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(url.port || 6379),
      tls: /^(rediss|valkeys):$/.test(url.protocol),
      username: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      database: Number(url.pathname.slice(1)),
    };
  } catch {
    return undefined; // "%" without two hexadecimal digits
  }
}
