import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAuditLog } from '@millrace/contracts/auth/audit-log';
import { createInvitation } from '@millrace/contracts/auth/invitations';
import { describeVault, getVault } from '@millrace/contracts/auth/vaults';
import { budgetChanged } from '@millrace/contracts/billing/budget';
import { planRolesChanged, planChanged } from '@millrace/contracts/billing/plans';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
let billing: EventSource;
beforeAll(async () => {
  system = await startApps([start], { DEFAULT_PLAN: 'team' });
  billing = await system.sourceOf('billing');
});
afterAll(() => system.close());

const change = ({ vault, user }: Caller, number: number, former: string, plan: string, roles = false) =>
  billing.emit(planChanged, { vault, number, former, plan, roles, user, address: '192.0.2.7' });

const planOf = async (caller: Caller) => (await system.callAs(caller, getVault)).plan;

const auditOf = async (caller: Caller, action: 'plan.changed' | 'budget.changed') =>
  (await system.callAs(caller, listAuditLog, { query: { action } })).results;

describe('the plan of a vault', () => {
  it('is initially the configured one, which billing learns from the event of the vault', async () => {
    const { caller } = await signUp(system);
    expect(await planOf(caller)).toBe('team');
    const published = await system.database.query<{ plan: string }>(
      `SELECT payload->>'plan' AS plan FROM messaging.outbox
       WHERE name = 'auth.vault.created' AND payload->>'vault' = $1`,
      [caller.vault],
    );
    expect(published).toEqual([{ plan: 'team' }]);
    const billingService = await system.fake('billing');
    expect(await billingService.call(describeVault, { vault: caller.vault })).toMatchObject({ plan: 'team' });
  });

  it('follows billing in any order of events, and the audit log names the user', async () => {
    const { caller, email } = await signUp(system);
    await change(caller, 2, 'free', 'enterprise');
    await eventually(async () => expect(await planOf(caller)).toBe('enterprise'));
    await change(caller, 1, 'team', 'free');
    await eventually(async () => expect(await auditOf(caller, 'plan.changed')).toHaveLength(2));
    expect(await planOf(caller)).toBe('enterprise');
    expect((await auditOf(caller, 'plan.changed'))[1]).toMatchObject({
      ...{ actor: { email }, target_type: 'vault', target_id: caller.vault, address: '192.0.2.7' },
      details: { from: 'free', to: 'enterprise' },
    });
  });
});

describe('roles of a plan', () => {
  const giveRole = ({ caller }: { caller: Caller }) =>
    system.callAs(caller, createInvitation, { body: { email: `${newId()}@example.org`, role: 'space_admin' } });
  const refused = { code: 'plan_required' };

  it('exist if and only if billing reports them, for any name of the plan', async () => {
    const vault = await signUp(system);
    await expect(giveRole(vault)).rejects.toMatchObject(refused);
    await change(vault.caller, 1, 'team', 'pro', true);
    await eventually(() => giveRole(vault));
    expect(await planOf(vault.caller)).toBe('pro');
    await change(vault.caller, 2, 'pro', 'enterprise', false);
    await eventually(() => expect(giveRole(vault)).rejects.toMatchObject(refused));
  });

  it('change when an operator changes the plan, without a user in the audit log', async () => {
    const vault = await signUp(system);
    const changeRoles = (number: number, roles: boolean) =>
      billing.emit(planRolesChanged, { vault: vault.caller.vault, number, plan: 'team', roles });
    await changeRoles(2, true);
    await eventually(() => giveRole(vault));
    await changeRoles(1, false);
    await changeRoles(3, false);
    await eventually(() => expect(giveRole(vault)).rejects.toMatchObject(refused));
    expect(await auditOf(vault.caller, 'plan.changed')).toEqual([]);
  });
});

it('the audit log names the user who set the usage limit', async () => {
  const { caller } = await signUp(system);
  await billing.emit(budgetChanged, { vault: caller.vault, limit: 600, stopRunning: true, user: caller.user });
  await eventually(async () =>
    expect(await auditOf(caller, 'budget.changed')).toMatchObject([
      { actor: { id: caller.user }, details: { cloud_usage_limit: 600, stop_running: true } },
    ]),
  );
});
