import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Call it with the vault locked, before a user stops being its owner. Owners through a team do not count: deleting a team must
 * not leave a vault without an administrator.
 * @throws ValidationError if no other enabled user is a direct owner
 */
export async function requireAnotherOwner(tx: Transaction, vault: string, leaving: string): Promise<void> {
  const others = { vaultId: vault, vaultRole: 'owner', disabledAt: null, id: { not: leaving } };
  if ((await tx.user.count({ where: others })) > 0) return;
  throw new ValidationError({ 'params.id': 'is the last owner of the vault; make another user an owner first' });
}
