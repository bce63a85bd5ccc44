import type { Payload } from '@millrace/contracts/kit/event';
import { runControlled, type RunAction } from '@millrace/contracts/runs/control';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';

interface Control {
  action: RunAction;
  details?: NonNullable<Payload<typeof runControlled>['details']>;
}

/** Publishes what a user does with a run, for the audit log. */
export function publishControl(
  tx: Transaction,
  { id, name, vaultId }: Pick<Run, 'id' | 'name' | 'vaultId'>,
  { caller, envelope }: Context,
  { action, details }: Control,
): void {
  tx.emit(runControlled, {
    ...{ action, run: String(id), name, vault: vaultId, user: caller.user, at: new Date().toISOString() },
    ...clientFields(envelope),
    ...(details && { details }),
  });
}
