import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Operation, Request } from '@millrace/contracts/kit/operation';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';

/** The gateway has a timeout of 10 s. A service on a busy machine can exceed it, so tests use a longer one. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** The fields of a request besides params, query and body. */
export interface RpcCallOptions {
  idempotencyKey?: string;
  timeoutMs?: number;
  address?: string;
  agent?: string;
  /** HTTP headers, for an operation with a raw body. */
  headers?: Record<string, string>;
}

export type CallAs = <O extends Operation>(
  caller: Caller | null,
  operation: O,
  request?: Partial<Request<O>>,
  options?: RpcCallOptions,
) => Promise<z.output<O['response']>>;

/** Calls operations as the gateway does: parses the request by its contract and sends it under the gateway's name. */
export async function gatewayRpcClient(
  options: MessagingOptions,
): Promise<{ callAs: CallAs; close: () => Promise<void> }> {
  const broker = new Broker(options);
  await broker.onModuleInit();
  const rpc = new RpcClient(broker, options);
  const callAs: CallAs = async (caller, operation, request = {}, options = {}) => {
    const { idempotencyKey, timeoutMs = DEFAULT_TIMEOUT_MS, address = '127.0.0.1', agent, headers } = options;
    return (await rpc.send(operation, {
      caller,
      requestId: randomUUID(),
      deadline: Date.now() + timeoutMs,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      client: {
        address,
        origin: 'http://127.0.0.1',
        ...(agent !== undefined && { agent }),
        ...(headers && { headers }),
      },
      params: operation.params.parse(request.params ?? {}),
      query: operation.query.parse(request.query ?? {}),
      body: operation.body.parse(request.body ?? {}),
    })) as z.output<(typeof operation)['response']>;
  };
  return { callAs, close: () => broker.onApplicationShutdown() };
}
