import { errors } from 'undici';
import { EgressError } from './egress-error.js';

const TRANSIENT_FAILURES: Record<string, string> = {
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host could not be looked up',
  ETIMEOUT: 'the host could not be looked up',
  ESERVFAIL: 'the host could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'the connection took too long',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  UND_ERR_HEADERS_TIMEOUT: 'the server did not respond in time',
  UND_ERR_BODY_TIMEOUT: 'the server stopped sending',
  UND_ERR_SOCKET: 'the connection was cut',
  ABORT_ERR: 'the request was cancelled',
};
const PERMANENT_FAILURES: Record<string, string> = {
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response does not have the announced length',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/**
 * Converts a failure to an `EgressError` for users.
 * @param signal limits the whole exchange
 */
export function explainFailure(error: unknown, signal?: AbortSignal): EgressError {
  const egressError = findEgressError(error);
  if (egressError) return egressError;
  if (signal?.aborted && isTimeout(signal.reason)) return new EgressError('it took too long', { cause: error });
  const code = codeOf(error);
  const permanentFailure =
    PERMANENT_FAILURES[code] ?? (error instanceof errors.HTTPParserError ? 'the response is not HTTP' : undefined);
  if (permanentFailure !== undefined) return new EgressError(permanentFailure, { cause: error });
  if (/^(Z_|ERR__?ERROR_|ERR_BROTLI|ERR_ZSTD|ZSTD)/.test(code))
    return new EgressError('the response cannot be decompressed', { cause: error });
  return new EgressError(TRANSIENT_FAILURES[code] ?? 'the connection failed', { isTransient: true, cause: error });
}

/** Errors of sockets are wrapped: by undici, and by Node if it tried several addresses. */
function findEgressError(error: unknown): EgressError | null {
  if (error instanceof EgressError) return error;
  if (error instanceof AggregateError) return error.errors.map(findEgressError).find((found) => found !== null) ?? null;
  return error instanceof Error && error.cause !== undefined ? findEgressError(error.cause) : null;
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};
const isTimeout = (reason: unknown): boolean => (reason as { name?: unknown } | null)?.name === 'TimeoutError';
