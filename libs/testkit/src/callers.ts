import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';

/** The owner of a vault that nobody else is in. */
export const ownerCaller = (given: Partial<Caller> = {}): Caller => ({
  user: newId(),
  vault: newId(),
  vaultRole: 'owner',
  spaces: 'all',
  ...given,
});

/** Somebody of the same vault with these roles, by space id. */
export const memberCaller = (owner: Caller, spaces: Exclude<Caller['spaces'], 'all'>): Caller => ({
  user: newId(),
  vault: owner.vault,
  vaultRole: 'member',
  spaces,
});
