import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { updateMember } from '@millrace/contracts/auth/members';
import { describeVault } from '@millrace/contracts/auth/vaults';
import { newId } from '@millrace/persistence/ids';
import { Asker } from '@millrace/messaging/asker';
import { Broker } from '@millrace/messaging/broker';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { vaultOfPeople } from '@millrace/testkit/vault-of-people';
import { start } from './start.js';

let system: System;
let mailbox: Mailbox;
let broker: Broker;
beforeAll(async () => {
  system = await startApps([start]);
  mailbox = system.openMailbox();
  broker = new Broker(system.optionsOf('notifications'));
  await broker.onModuleInit();
});
afterAll(async () => {
  await broker.onApplicationShutdown();
  await system.close();
});

const describe = (vault: string) =>
  new Asker(broker).ask(describeVault, { vault }, { caller: null, requestId: newId() });

it('a vault is described by its name and its users, without those who are disabled', async () => {
  const { owner, join } = await vaultOfPeople(system, mailbox);
  const [guest, disabled] = [await join(), await join()];
  await signUp(system);
  await system.askAs(owner.caller, updateMember, { params: { id: disabled.id }, body: { disabled: true } });
  const { name, users } = await describe(owner.caller.vault);
  expect(name).toEqual(expect.any(String));
  expect(users.sort()).toEqual([owner.id, guest.id].sort());
});

it('a vault that is not there is not found', async () => {
  await expect(describe(newId())).rejects.toMatchObject({ code: 'not_found' });
});
