import type { ErrorDetails } from '@millrace/contracts/kit/api-error';

/** A request to a service, as a NATS message. Version 12 of Nest sends the same fields, and later ones are ignored. */
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
