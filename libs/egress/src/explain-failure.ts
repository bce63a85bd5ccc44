import { errors } from 'undici';
import { EgressError } from './egress-error.js';

const SPOKEN: Record<string, string> = {
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
  UND_ERR_HEADERS_TIMEOUT: 'the server did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'the server stopped sending',
  UND_ERR_SOCKET: 'the connection was cut',
  ABORT_ERR: 'it was given up',
};
const LASTING: Record<string, string> = {
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is not as long as it says',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** Why a request came to nothing, in words for whoever wanted it; `signal` is the bound on the whole. */
export function explainFailure(error: unknown, signal?: AbortSignal): EgressError {
  const known = findEgressError(error);
  if (known) return known;
  if (signal?.aborted && isTimeout(signal.reason)) return new EgressError('it took too long', { cause: error });
  const code = codeOf(error);
  const lasting = LASTING[code] ?? (error instanceof errors.HTTPParserError ? 'the answer is not HTTP' : undefined);
  if (lasting !== undefined) return new EgressError(lasting, { cause: error });
  if (/^(Z_|ERR__?ERROR_|ERR_BROTLI|ERR_ZSTD|ZSTD)/.test(code))
    return new EgressError('the answer cannot be decompressed', { cause: error });
  return new EgressError(SPOKEN[code] ?? 'the connection failed', { isTransient: true, cause: error });
}

/** A socket's errors come wrapped: by undici, and by Node where several addresses were tried. */
function findEgressError(error: unknown): EgressError | null {
  if (error instanceof EgressError) return error;
  if (error instanceof AggregateError) return error.errors.map(findEgressError).find((one) => one !== null) ?? null;
  return error instanceof Error && error.cause !== undefined ? findEgressError(error.cause) : null;
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};
const isTimeout = (reason: unknown): boolean => (reason as { name?: unknown } | null)?.name === 'TimeoutError';
