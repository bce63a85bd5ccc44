import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findContacts } from '@millrace/contracts/auth/contacts';
import { removeMember, updateMember } from '@millrace/contracts/auth/members';
import { newId } from '@millrace/persistence/ids';
import { signUp } from '@millrace/testkit/sign-up';
import { startBesideNotifications, type SystemBesideNotifications } from '../testing/start-beside-notifications.js';

let system: SystemBesideNotifications;
beforeAll(async () => {
  system = await startBesideNotifications();
});
afterAll(() => system.close());

const contactsOf = async (vault: string, users: string[]) =>
  (await system.notifications.call(findContacts, { vault, users })).contacts;

it('the contacts of a vault have the addresses and current roles of its users', async () => {
  const { owner, join } = await system.newVault();
  const { vault } = owner.caller;
  const guest = await join();
  const space = newId();
  await system.database.query(
    'INSERT INTO auth.space_assignment (id, vault_id, space_id, user_id, role) VALUES ($1, $2, $3, $4, $5)',
    [newId(), vault, space, guest.id, 'read'],
  );
  const otherUser = await signUp(system);
  const found = await contactsOf(vault, [owner.id, guest.id, otherUser.user.id, newId()]);
  expect(found.sort((a, b) => (a.user < b.user ? -1 : 1))).toEqual([
    { user: owner.id, email: owner.email, name: expect.any(String), spaces: 'all' },
    { user: guest.id, email: guest.email, name: 'Guest', spaces: { [space]: 'read' } },
  ]);
  expect(await contactsOf(vault, [])).toEqual([]);
});

it('the contacts of a vault do not include users who are disabled or have left', async () => {
  const { owner, join } = await system.newVault();
  const [disabled, removed] = [await join(), await join()];
  await system.callAs(owner.caller, updateMember, { params: { id: disabled.id }, body: { disabled: true } });
  await system.callAs(owner.caller, removeMember, { params: { id: removed.id } });
  expect(await contactsOf(owner.caller.vault, [disabled.id, removed.id])).toEqual([]);
});
