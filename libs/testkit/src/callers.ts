import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';

/** The owner and only member of a new vault. */
export const ownerCaller = (overrides: Partial<Caller> = {}): Caller => ({
  user: newId(),
  vault: newId(),
  vaultRole: 'owner',
  spaces: 'all',
  ...overrides,
});

/** Another member of the owner's vault, with these roles by space id. */
export const memberCaller = (owner: Caller, spaces: Exclude<Caller['spaces'], 'all'>): Caller => ({
  user: newId(),
  vault: owner.vault,
  vaultRole: 'member',
  spaces,
});
