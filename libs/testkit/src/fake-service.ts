import type { z } from 'zod';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller, Envelope } from '@millrace/contracts/kit/envelope';
import { subjectOf, type Operation, type Request, type Result } from '@millrace/contracts/kit/operation';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';

type Handler = (envelope: Envelope) => unknown;

/** A connection to the suite's broker in the name of a service that the suite does not start. */
export interface FakeService {
  broker: Broker;
  /** Handles an operation with `handler` and replaces its earlier handler. An error that it throws becomes the response. */
  on<O extends Operation>(operation: O, handler: (envelope: Envelope) => Result<O> | Promise<Result<O>>): void;
  /** Calls another service on behalf of `caller`, or of the service itself. */
  call<O extends Operation>(
    operation: O,
    body: Request<O>['body'],
    caller?: Caller | null,
  ): Promise<z.output<O['response']>>;
  close(): Promise<void>;
}

export async function fakeService(options: MessagingOptions): Promise<FakeService> {
  const broker = new Broker(options);
  await broker.onModuleInit();
  const rpc = new RpcClient(broker, { service: options.service });
  const handlers = new Map<string, Handler>();
  const subscribe = (subject: string) =>
    broker.connection.subscribe(subject, {
      callback: (_error, message) => {
        const { data, id } = message.json<{ data: Envelope; id: string }>();
        const respond = (result: object) => message.respond(JSON.stringify({ ...result, id, isDisposed: true }));
        Promise.resolve()
          .then(() => handlers.get(subject)?.(data))
          .then(
            (response) => respond({ response }),
            (error: unknown) => respond({ err: error instanceof ApiError ? error.toBody() : String(error) }),
          );
      },
    });
  return {
    broker,
    on: (operation, handler) => {
      const subject = subjectOf(operation);
      if (!handlers.has(subject)) subscribe(subject);
      handlers.set(subject, handler);
    },
    call: (operation, body, caller = null) => rpc.call(operation, body, { caller, requestId: 'test' }),
    close: () => broker.onApplicationShutdown(),
  };
}
