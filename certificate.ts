/**
 * The certificate of the service: its files, and its report before it expires.
 *
 * @module
 */
import { type Config, ConfigError, reasonOf } from "./config.ts";
import type { Log } from "./log.ts";

/** The log warns of a certificate that expires in less than this many days. */
const EXPIRY_DAYS = 14;

const DAY_MS = 86_400_000;

function readPem(variable: string, path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    const reason = reasonOf(error);
    const remedy = error instanceof Deno.errors.NotCapable
      ? "deno task start:tls, and a path without a comma"
      : "the path of a PEM file that this process may read";
    throw new ConfigError(
      `${variable}: cannot read ${
        JSON.stringify(path)
      }: ${reason}; use ${remedy}`,
    );
  }
}

/**
 * Reads certificate and private key; returns undefined without TLS.
 *
 * @throws {ConfigError} if a file cannot be read
 */
export function readCertificate(
  { tls }: Config,
): Deno.TlsCertifiedKeyPem | undefined {
  return tls && {
    cert: readPem("PWGEN_TLS_CERT", tls.cert),
    key: readPem("PWGEN_TLS_KEY", tls.key),
  };
}

/**
 * Returns the first and the last time at which the first certificate of a chain
 * is valid, in milliseconds since 1970. If it is no certificate, which Deno.serve
 * reports, both are NaN.
 */
export async function validityOf(pem: string): Promise<[number, number]> {
  const { X509Certificate } = await import("node:crypto");
  const [own = pem] =
    /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/.exec(pem) ?? [];
  try {
    const { validFrom, validTo } = new X509Certificate(own);
    return [Date.parse(validFrom), Date.parse(validTo)];
  } catch {
    return [NaN, NaN];
  }
}

/** Logs a certificate that is not valid now, or that expires soon. */
export async function reportValidity(pem: string, log: Log): Promise<void> {
  const now = Date.now();
  const [from, to] = await validityOf(pem);
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const name = "PWGEN_TLS_CERT: the certificate";
  const expiry = `on ${day(to)}; renew it and restart the service`;
  const remedy = "use a valid one, or set the clock of this machine";
  if (now < from) {
    log("error", `${name} is not valid before ${day(from)}; ${remedy}`);
  } else if (now > to) log("error", `${name} expired ${expiry}`);
  else if (to - now < EXPIRY_DAYS * DAY_MS) {
    log("warning", `${name} expires ${expiry}`);
  }
}

/** Reports now and once a day. */
export function watchValidity(pem: string, log: Log): void {
  reportValidity(pem, log);
  Deno.unrefTimer(setInterval(reportValidity, DAY_MS, pem, log));
}
