import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { updateMember } from '@millrace/contracts/auth/members';
import { describeVault } from '@millrace/contracts/auth/vaults';
import { newId } from '@millrace/persistence/ids';
import { signUp } from '@millrace/testkit/sign-up';
import { startBesideNotifications, type SystemBesideNotifications } from '../testing/start-beside-notifications.js';

let system: SystemBesideNotifications;
beforeAll(async () => {
  system = await startBesideNotifications();
});
afterAll(() => system.close());

const describedAs = (vault: string) => system.notifications.call(describeVault, { vault });

it('a vault is described by its name and its enabled users', async () => {
  const { owner, join } = await system.newVault();
  const [guest, disabled] = [await join(), await join()];
  await signUp(system);
  await system.callAs(owner.caller, updateMember, { params: { id: disabled.id }, body: { disabled: true } });
  const { name, users } = await describedAs(owner.caller.vault);
  expect(name).toEqual(expect.any(String));
  expect(users.sort()).toEqual([owner.id, guest.id].sort());
});

it('a vault that does not exist is not found', async () => {
  await expect(describedAs(newId())).rejects.toMatchObject({ code: 'not_found' });
});
