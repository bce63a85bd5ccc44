import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request, Result } from '@millrace/contracts/kit/operation';
import { revealSecrets } from '@millrace/contracts/workflows/secrets';
import { createRecipient } from '@millrace/messaging/crypto/sealed-box';
import { newId } from '@millrace/persistence/ids';

export interface Revealed {
  values: Record<string, string>;
  missing: string[];
}

/** The digests in the response. */
export type Digests = NonNullable<Result<Reveal>['digests']>;

type Reveal = typeof revealSecrets;

/** A stand-in for the runs service. */
interface RunsService {
  call(operation: Reveal, body: Request<Reveal>['body']): Promise<Result<Reveal>>;
}

/** Reads secret variables like a worker of a run: calls the service as runs and decrypts the response. */
export function revealAs(runs: RunsService) {
  const recipient = createRecipient();
  return {
    /** For a new run. */
    reveal(caller: Caller, space: string, ...names: string[]): Promise<Revealed> {
      return this.revealTo(newId(), caller, space, ...names);
    },
    async digests({ vault, user }: Caller, space: string, ...names: string[]): Promise<Digests> {
      const body = { run: newId(), vault, space, user, names, recipient: recipient.publicKey };
      const { digests } = await runs.call(revealSecrets, body);
      if (!digests) throw new Error('There are no digests');
      return digests;
    },
    revealTo(run: string, caller: Caller, space: string, ...names: string[]): Promise<Revealed> {
      return this.revealScopes(run, caller, space, names);
    },
    /** Also for the names that modules use. */
    async revealScopes(
      run: string,
      { vault, user }: Caller,
      space: string,
      names: string[],
      modules: { space: string; names: string[] }[] = [],
    ): Promise<Revealed> {
      const body = { run, vault, space, user, names, modules, recipient: recipient.publicKey };
      const { sealed, missing } = await runs.call(revealSecrets, body);
      return { values: JSON.parse(recipient.open(sealed)) as Record<string, string>, missing };
    },
  };
}
