import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request, Result } from '@millrace/contracts/kit/operation';
import { revealSecrets } from '@millrace/contracts/workflows/secrets';
import { createRecipient } from '@millrace/messaging/crypto/sealed-box';
import { newId } from '@millrace/persistence/ids';

export interface Revealed {
  values: Record<string, string>;
  missing: string[];
}

/** What the service says of the values themselves. */
export type Digests = NonNullable<Result<Reveal>['digests']>;

type Reveal = typeof revealSecrets;

/** The service that asks. */
interface Runs {
  ask(operation: Reveal, body: Request<Reveal>['body']): Promise<Result<Reveal>>;
}

/** Reads secret variables as runs has them read for a worker, which is both of them here. */
export function revealAs(runs: Runs) {
  const recipient = createRecipient();
  return {
    /** To a run that asks for the first time. */
    reveal(caller: Caller, space: string, ...names: string[]): Promise<Revealed> {
      return this.revealTo(newId(), caller, space, ...names);
    },
    async digests({ vault, user }: Caller, space: string, ...names: string[]): Promise<Digests> {
      const body = { run: newId(), vault, space, user, names, recipient: recipient.publicKey };
      const { digests } = await runs.ask(revealSecrets, body);
      if (!digests) throw new Error('There are no digests');
      return digests;
    },
    revealTo(run: string, caller: Caller, space: string, ...names: string[]): Promise<Revealed> {
      return this.revealScopes(run, caller, space, names);
    },
    /** With what the texts of modules name. */
    async revealScopes(
      run: string,
      { vault, user }: Caller,
      space: string,
      names: string[],
      modules: { space: string; names: string[] }[] = [],
    ): Promise<Revealed> {
      const body = { run, vault, space, user, names, modules, recipient: recipient.publicKey };
      const { sealed, missing } = await runs.ask(revealSecrets, body);
      return { values: JSON.parse(recipient.open(sealed)) as Record<string, string>, missing };
    },
  };
}
