import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { updateMember } from '@millrace/contracts/auth/members';
import { describeVault } from '@millrace/contracts/auth/vaults';
import { newId } from '@millrace/persistence/ids';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { signUp } from '@millrace/testkit/sign-up';
import type { PlayedService } from '@millrace/testkit/play-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { vaultOfPeople } from '@millrace/testkit/vault-of-people';
import { start } from './start.js';

let system: System;
let mailbox: Mailbox;
let notifications: PlayedService;
beforeAll(async () => {
  system = await startApps([start]);
  mailbox = system.openMailbox();
  notifications = await system.play('notifications');
});
afterAll(() => system.close());

const describedAs = (vault: string) => notifications.ask(describeVault, { vault });

it('a vault is described by its name and its users, without those who are disabled', async () => {
  const { owner, join } = await vaultOfPeople(system, mailbox);
  const [guest, disabled] = [await join(), await join()];
  await signUp(system);
  await system.askAs(owner.caller, updateMember, { params: { id: disabled.id }, body: { disabled: true } });
  const { name, users } = await describedAs(owner.caller.vault);
  expect(name).toEqual(expect.any(String));
  expect(users.sort()).toEqual([owner.id, guest.id].sort());
});

it('a vault that is not there is not found', async () => {
  await expect(describedAs(newId())).rejects.toMatchObject({ code: 'not_found' });
});
