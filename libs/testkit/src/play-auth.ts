import { callersChanged } from '@millrace/contracts/auth/callers';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { subjectOf, type Operation, type Result } from '@millrace/contracts/kit/operation';
import { Broker } from '@millrace/messaging/broker';
import type { MessagingOptions } from '@millrace/messaging/options';

type Answer = (envelope: Envelope) => unknown;

/**
 * A second connection to the suite's broker that answers as the auth service would (or whichever its options name), so
 * that a suite decides what it says and when.
 */
export interface PlayedAuth {
  broker: Broker;
  /** Answers an operation from now on; what `answer` throws is the operation's failure. */
  on<O extends Operation>(operation: O, answer: (envelope: Envelope) => Result<O> | Promise<Result<O>>): void;
  /** Tells that callers changed; without content, that nothing did. */
  tell(change?: { users?: string[]; vaults?: string[]; all?: boolean }): void;
  close(): Promise<void>;
}

export async function playAuth(options: MessagingOptions): Promise<PlayedAuth> {
  const broker = new Broker(options);
  await broker.onModuleInit();
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
    tell: ({ users = [], vaults = [], all = false } = {}) => broker.tell(callersChanged, { users, vaults, all }),
    close: () => broker.onApplicationShutdown(),
  };
}
