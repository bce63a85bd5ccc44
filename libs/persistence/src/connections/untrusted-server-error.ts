import { types } from 'node:util';

/** Codes of OpenSSL's verification of a chain of certificates (openssl-verification-options). */
const CERTIFICATE_CODES =
  /^(UNABLE_TO_(GET|DECRYPT|DECODE|VERIFY)_|SELF_SIGNED_CERT|DEPTH_ZERO_|CERT_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)/;
/** The name does not fit; a failed handshake, such as a refused client certificate. */
const NODE_CODES = /^(ERR_TLS_|ERR_SSL_|EPROTO$)/;
/** What Postgres, its client and the client of NATS report without a code. */
const MESSAGES = /does not support (SSL|'tls')|valid client certificate|certificate authentication failed|sslmode/i;

/** A server that cannot be trusted, or that does not trust this client. A restart does not help. */
export class UntrustedServerError extends Error {
  constructor(
    readonly setting: string,
    address: string,
    reason: string,
    options: ErrorOptions,
  ) {
    super(
      `${setting}: no trusted connection to ${address}: ${reason}. The certificate of the server must be signed by a known authority or by ${filesOf(setting)}_CA_FILE, and contain the name in ${setting}; if the server requires a certificate of the client, set ${filesOf(setting)}_CERT_FILE and ${filesOf(setting)}_KEY_FILE.`,
      options,
    );
  }
}

/**
 * Connecting again would end like this error, because the server and this client do not agree on TLS.
 * @param setting name of the setting that has the URL
 * @returns null if the reason is another one, such as a server that is not up yet
 */
export function findUntrustedServer(error: unknown, setting: string, url: string): UntrustedServerError | null {
  const reason = causesOf(error).find(isTlsProblem);
  return reason ? new UntrustedServerError(setting, new URL(url).host, describe(reason), { cause: error }) : null;
}

function isTlsProblem({ code = '', message }: Error & { code?: unknown }): boolean {
  return CERTIFICATE_CODES.test(String(code)) || NODE_CODES.test(String(code)) || MESSAGES.test(message);
}

/** OpenSSL has a short text besides its message with addresses and lines of its source. */
const describe = (error: Error & { reason?: unknown }): string =>
  typeof error.reason === 'string' ? error.reason : error.message;

function causesOf(error: unknown): Error[] {
  // Not `instanceof`: errors of Node.js have another class in the tests, which have a realm of their own.
  if (!types.isNativeError(error)) return [];
  const inner = 'errors' in error && Array.isArray(error.errors) ? (error.errors as unknown[]) : [error.cause];
  return [error, ...inner.flatMap(causesOf)];
}

const filesOf = (setting: string): string => setting.replace(/_URL$/, '');
