import type { ErrorDetails } from '@millrace/contracts/kit/api-error';

/** A request to a service. The services of an earlier version, which run beside these during an update, need `pattern` and `id`. */
export interface RpcRequest<Data> {
  /** The subject of the operation. */
  pattern: string;
  data: Data;
  id: string;
}

/** What an operation has answered: a response or an error. */
export interface RpcReply {
  response?: unknown;
  err?: { code?: string; message?: string; details?: ErrorDetails } | string;
}
