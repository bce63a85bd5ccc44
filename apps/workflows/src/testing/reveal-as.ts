import type { Caller } from '@millrace/contracts/kit/envelope';
import { revealSecrets } from '@millrace/contracts/workflows/secrets';
import { Asker } from '@millrace/messaging/asker';
import { Broker } from '@millrace/messaging/broker';
import type { MessagingOptions } from '@millrace/messaging/options';
import { createRecipient } from '@millrace/messaging/sealed-box';
import { newId } from '@millrace/persistence/ids';

export interface Revealed {
  values: Record<string, string>;
  missing: string[];
}

/** Reads secret variables as runs has them read for a worker, which is both of them here. */
export async function revealAs(options: MessagingOptions) {
  const broker = new Broker(options);
  await broker.onModuleInit();
  const recipient = createRecipient();
  return {
    /** To a run that asks for the first time. */
    reveal(caller: Caller, space: string, ...names: string[]): Promise<Revealed> {
      return this.revealTo(newId(), caller, space, ...names);
    },
    async revealTo(run: string, { vault, user }: Caller, space: string, ...names: string[]): Promise<Revealed> {
      const body = { run, vault, space, user, names, recipient: recipient.publicKey };
      const nobody = { caller: null, requestId: 'test' };
      const { sealed, missing } = await new Asker(broker).ask(revealSecrets, body, nobody);
      return { values: JSON.parse(recipient.open(sealed)) as Record<string, string>, missing };
    },
    close: () => broker.onApplicationShutdown(),
  };
}
