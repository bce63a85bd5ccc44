import { ApiError, HTTP_STATUS, type ErrorCode, type ErrorDetails } from '@millrace/contracts/kit/api-error';

/** A request to a service. The services of an earlier version, which run beside these during an update, need `pattern` and `id`. */
export interface RpcRequest<Data> {
  /** The subject of the operation. */
  pattern: string;
  data: Data;
  id: string;
}

/** The response of an operation, or its error. */
export interface RpcReply {
  /** Not undefined, unless there is an error. */
  response?: unknown;
  err?: { code?: string; message?: string; details?: ErrorDetails } | string;
}

/** Nothing follows the response of a reply that begins with this. Services of an earlier version write fields behind it. */
const RESPONSE_BEGIN = '{"version":2,"response":';

/** Writes a reply as JSON. */
export const writeReply = (reply: RpcReply): string =>
  'response' in reply ? `${RESPONSE_BEGIN}${JSON.stringify(reply.response)}}` : JSON.stringify(reply);

/** @returns the response of a reply; @throws ApiError that the reply has instead */
export function readResponse(data: Uint8Array): unknown {
  const { err, response } = JSON.parse(toBuffer(data).toString()) as RpcReply;
  if (err === undefined || err === null) return response;
  if (typeof err === 'string') throw new ApiError('internal_error', err);
  const { code = 'internal_error', message = 'Internal error', details } = err;
  throw new ApiError(code in HTTP_STATUS ? (code as ErrorCode) : 'internal_error', message, details);
}

/** Like `readResponse`, but returns the JSON as the service has written it, without parsing it. */
export function readResponseJson(data: Uint8Array): Buffer {
  const reply = toBuffer(data);
  if (reply.toString('latin1', 0, RESPONSE_BEGIN.length) === RESPONSE_BEGIN)
    return reply.subarray(RESPONSE_BEGIN.length, -1);
  return Buffer.from(JSON.stringify(readResponse(data) ?? null));
}

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
