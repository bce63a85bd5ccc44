import { acceptInvitation, createInvitation } from '@millrace/contracts/auth/invitations';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { VaultRole } from '@millrace/contracts/kit/permissions';
import { newId } from '@millrace/persistence/ids';
import type { Mailbox } from './mailbox.js';
import { callerOf, PASSWORD, signUp } from './sign-up.js';
import type { System } from './start-apps.js';

/** A signed-in user. `caller` is the caller at sign-in; `currentCaller` requests the current one. */
export interface Person {
  id: string;
  email: string;
  access: string;
  caller: Caller;
  currentCaller: () => Promise<Caller | null>;
}

export interface VaultOfPeople {
  owner: Person;
  /** Invites a user and accepts the invitation for them. */
  join: (role?: VaultRole) => Promise<Person>;
}

/** A new vault, with a way to fill it. */
export async function vaultOfPeople(system: System, mailbox: Mailbox): Promise<VaultOfPeople> {
  const { user, email, access, caller } = await signUp(system);
  const owner = person(system, { id: user.id, email, access, caller });
  const join = async (role: VaultRole = 'member'): Promise<Person> => {
    const guest = `guest-${newId()}@example.org`;
    await system.callAs(caller, createInvitation, { body: { email: guest, role } });
    const { link } = await mailbox.take(guest, 'invitation');
    const token = tokenOf(link);
    const body = { token, name: 'Guest', password: PASSWORD };
    const joined = await system.callAs(null, acceptInvitation, { body });
    const invited = await callerOf(system, joined.user.id, joined.access);
    if (!invited) throw new Error('The invited user could not be authenticated.');
    return person(system, { id: joined.user.id, email: guest, access: joined.access, caller: invited });
  };
  return { owner, join };
}

/** The secret in a mailed link. */
export const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';

const person = (system: System, account: Omit<Person, 'currentCaller'>): Person => ({
  ...account,
  currentCaller: () => callerOf(system, account.id, account.access),
});
