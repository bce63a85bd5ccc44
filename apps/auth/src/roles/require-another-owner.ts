import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Called, with the vault locked, before a user ends to be its owner. Owners through a team do not count: a team that is
 * deleted must not leave a vault that nobody can administer.
 * @throws ValidationError where nobody else is an owner by themselves and may sign in
 */
export async function keepAnOwner(tx: Transaction, vault: string, leaving: string): Promise<void> {
  const others = { vaultId: vault, vaultRole: 'owner', disabledAt: null, id: { not: leaving } };
  if ((await tx.user.count({ where: others })) > 0) return;
  throw new ValidationError({ 'params.id': 'is the last owner of the vault; make somebody else an owner first' });
}
