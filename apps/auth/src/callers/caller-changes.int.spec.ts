import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callersChanged } from '@millrace/contracts/auth/callers';
import { updateMember } from '@millrace/contracts/auth/members';
import { setTeamVaultRole, setUserVaultRole } from '@millrace/contracts/auth/roles';
import { logout } from '@millrace/contracts/auth/sessions';
import { addTeamMember, createTeam, removeTeamMember } from '@millrace/contracts/auth/teams';
import { regenerateToken } from '@millrace/contracts/auth/users';
import type { Payload } from '@millrace/contracts/kit/event';
import { Broker } from '@millrace/messaging/broker/broker';
import { eventually } from '@millrace/testkit/eventually';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { signIn, signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { vaultOfPeople } from '@millrace/testkit/vault-of-people';
import { start } from '../start.js';

let system: System;
let mailbox: Mailbox;
let gateway: Broker;
const received: Payload<typeof callersChanged>[] = [];
beforeAll(async () => {
  system = await startApps([start]);
  mailbox = system.openMailbox();
  gateway = new Broker(system.optionsOf('gateway'));
  await gateway.onModuleInit();
  gateway.subscribe(callersChanged, (change) => received.push(change));
  await gateway.connection.flush();
});
afterAll(async () => {
  await gateway.onApplicationShutdown();
  await system.close();
});

/** Runs `work` and waits until gateways are notified of a user or a vault. */
async function expectNotified(subject: { user?: string; vault?: string }, work: () => Promise<unknown>): Promise<void> {
  received.length = 0;
  await work();
  await eventually(() =>
    expect(
      received.some(({ users, vaults }) => users.includes(subject.user ?? '') || vaults.includes(subject.vault ?? '')),
    ).toBe(true),
  );
}

describe('gateways are notified', () => {
  it('of every change of a user’s permissions', async () => {
    const { owner, join } = await vaultOfPeople(system, mailbox);
    const guest = await join();
    const { vault } = owner.caller;
    const { id } = await system.callAs(owner.caller, createTeam, { body: { name: 'T' } });
    const member = { params: { id, userId: guest.id } };
    await expectNotified({ user: guest.id }, () => system.callAs(owner.caller, addTeamMember, member));
    await expectNotified({ vault }, () =>
      system.callAs(owner.caller, setTeamVaultRole, { params: { id }, body: { role: 'space_admin' } }),
    );
    await expectNotified({ user: guest.id }, () => system.callAs(owner.caller, removeTeamMember, member));
    await expectNotified({ user: guest.id }, () =>
      system.callAs(owner.caller, setUserVaultRole, { params: { id: guest.id }, body: { role: 'space_admin' } }),
    );
    await expectNotified({ user: guest.id }, () => system.callAs(guest.caller, regenerateToken));
    await expectNotified({ user: guest.id }, () =>
      system.callAs(owner.caller, updateMember, { params: { id: guest.id }, body: { disabled: true } }),
    );
    await expectNotified({ vault }, () =>
      system.database.query(
        `INSERT INTO auth.space_assignment (id, vault_id, space_id, team_id, role)
         VALUES (gen_random_uuid(), $1, gen_random_uuid(), $2, 'read')`,
        [vault, id],
      ),
    );
  });

  it('of a sign-out, but not of a refresh or a sign-in', async () => {
    const { email, user, caller } = await signUp(system);
    received.length = 0;
    const { refresh } = await signIn(system, email);
    await expectNotified({ user: user.id }, () => system.callAs(caller, logout, { body: { refresh } }));
    expect(received.filter(({ users }) => users.length > 0)).toHaveLength(1);
  });

  it('by a heartbeat several times a second', async () => {
    received.length = 0;
    await eventually(() =>
      expect(received.filter(({ all, users }) => !all && users.length === 0).length).toBeGreaterThan(3),
    );
  });

  it('by no heartbeat while changes may be missed, and of a change of all callers afterwards', async () => {
    received.length = 0;
    await system.database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'listener of%'",
    );
    await eventually(() => expect(received.some(({ all }) => all)).toBe(true));
    const { user, caller } = await signUp(system);
    await expectNotified({ user: user.id }, () => system.callAs(caller, regenerateToken));
  });
});
