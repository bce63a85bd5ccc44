import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Operation, Request } from '@millrace/contracts/kit/operation';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';

/** The gateway waits for 10 s, which a service on a busy machine may miss; no test is about that by accident. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** What a request holds beside its three parts. */
export interface RpcCallOptions {
  idempotencyKey?: string;
  timeoutMs?: number;
  address?: string;
  agent?: string;
  /** Of a request with a raw body. */
  headers?: Record<string, string>;
}

export type CallAs = <O extends Operation>(
  caller: Caller | null,
  operation: O,
  request?: Partial<Request<O>>,
  options?: RpcCallOptions,
) => Promise<z.output<O['response']>>;

/** Asks as the gateway does: parses the request by its contract and sends it under the gateway's name. */
export async function gatewayRpcClient(
  options: MessagingOptions,
): Promise<{ ask: CallAs; close: () => Promise<void> }> {
  const broker = new Broker(options);
  await broker.onModuleInit();
  const rpc = new RpcClient(broker, options);
  const ask: CallAs = async (caller, operation, request = {}, options = {}) => {
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
  return { ask, close: () => broker.onApplicationShutdown() };
}
