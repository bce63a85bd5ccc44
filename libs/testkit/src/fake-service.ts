import type { z } from 'zod';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller, Envelope } from '@millrace/contracts/kit/envelope';
import { subjectOf, type Operation, type Request, type Result } from '@millrace/contracts/kit/operation';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';

type Answer = (envelope: Envelope) => unknown;

/** A connection to the suite's broker in the name of a service that is not started there: it asks and answers as the test says. */
export interface FakeService {
  broker: Broker;
  /** Answers an operation from now on; what `answer` throws is the operation's failure. */
  on<O extends Operation>(operation: O, answer: (envelope: Envelope) => Result<O> | Promise<Result<O>>): void;
  /** Asks another service, for `caller` or on its own. */
  ask<O extends Operation>(
    operation: O,
    body: Request<O>['body'],
    caller?: Caller | null,
  ): Promise<z.output<O['response']>>;
  close(): Promise<void>;
}

export async function fakeService(options: MessagingOptions): Promise<FakeService> {
  const broker = new Broker(options);
  await broker.onModuleInit();
  const rpc = new RpcClient(broker);
  const answers = new Map<string, Answer>();
  const listen = (subject: string) =>
    broker.connection.subscribe(subject, {
      callback: (_error, message) => {
        const { data, id } = message.json<{ data: Envelope; id: string }>();
        const respond = (answer: object) => message.respond(JSON.stringify({ ...answer, id, isDisposed: true }));
        Promise.resolve()
          .then(() => answers.get(subject)?.(data))
          .then(
            (response) => respond({ response }),
            (error: unknown) => respond({ err: error instanceof ApiError ? error.toBody() : String(error) }),
          );
      },
    });
  return {
    broker,
    on: (operation, answer) => {
      const subject = subjectOf(operation);
      if (!answers.has(subject)) listen(subject);
      answers.set(subject, answer);
    },
    ask: (operation, body, caller = null) => rpc.call(operation, body, { caller, requestId: 'test' }),
    close: () => broker.onApplicationShutdown(),
  };
}
