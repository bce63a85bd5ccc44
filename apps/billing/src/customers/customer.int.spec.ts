import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeVault, vaultCreated } from '@millrace/contracts/auth/vaults';
import { getBudget, setBudget } from '@millrace/contracts/billing/budget';
import { getCustomer } from '@millrace/contracts/billing/customer';
import { choosePlan, listPlans } from '@millrace/contracts/billing/plans';
import { listPeriods } from '@millrace/contracts/billing/usage';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
let runs: EventSource;
beforeAll(async () => {
  system = await startApps([start]);
  runs = await system.sourceOf('runs');
  const auth = await system.fake('auth');
  auth.on(describeVault, () => ({ name: 'Vault', plan: 'team', users: [] }));
});
afterAll(() => system.close());

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
let subjobs = 0;

/** Publishes CPU usage of a vault and waits until the ledger has it. */
async function use(caller: Caller, cpuMs: number, finishedAt = new Date().toISOString()): Promise<void> {
  const subjob = String(++subjobs);
  const { vault } = caller;
  await runs.emit(subjobsFinished, {
    entries: [{ subjob, run: '1', vault, workflow: newId(), space: newId(), attempt: 1, cpuMs, finishedAt }],
  });
  await eventually(async () => {
    const rows = await system.database.query('SELECT 1 FROM billing.usage_entry WHERE subjob = $1', [subjob]);
    expect(rows).toHaveLength(1);
  });
}

const customerOf = (caller: Caller) => system.callAs(caller, getCustomer);
const choose = (caller: Caller, plan: string) => system.callAs(caller, choosePlan, { body: { plan } });
const limit = (caller: Caller, cloud_usage_limit: number | null, stop_running = false) =>
  system.callAs(caller, setBudget, { body: { cloud_usage_limit, stop_running } });

const publishedFor = (vault: string) =>
  system.database.query<{ name: string; payload: object }>(
    `SELECT name, payload FROM messaging.outbox WHERE service = 'billing' AND payload->>'vault' = $1 ORDER BY created_at, id`,
    [vault],
  );

describe('a customer', () => {
  it('is created with its vault, on the initial plan', async () => {
    const auth = await system.sourceOf('auth');
    const caller = ownerCaller();
    await auth.emit(vaultCreated, { vault: caller.vault, owner: caller.user, name: "Ada's vault", plan: 'free' });
    await eventually(async () => {
      const rows = await system.database.query('SELECT plan FROM billing.customer WHERE vault_id = $1', [caller.vault]);
      expect(rows).toEqual([{ plan: 'free' }]);
    });
    expect((await customerOf(caller)).plan).toBe('free');
  });

  it('is created on demand if the event of the vault has not arrived', async () => {
    const caller = ownerCaller();
    const all = await Promise.all(Array.from({ length: 5 }, () => customerOf(caller)));
    for (const one of all) expect(one).toEqual(all[0]);
    expect(all[0]).toEqual({
      ...{ id: caller.vault, vault_id: caller.vault, vault_info: caller.vault, plan: 'team' },
      ...{ restricted: false, is_active: true, execution_units: 0, credits_used: 0, credits_remaining: 5_000 },
    });
  });

  it('sees the usage of the month, and a limit only if it has one', async () => {
    const caller = ownerCaller();
    await choose(caller, 'enterprise');
    await use(caller, 90.2 * SECOND);
    await use(caller, 10 * SECOND, '2020-02-29T23:59:59.999Z');
    const customer = await customerOf(caller);
    expect(customer).toMatchObject({ plan: 'enterprise', execution_units: 91, credits_used: 1.52 });
    expect(Object.keys(customer)).not.toContain('credits_remaining');
    expect(Object.keys(customer)).not.toContain('cloud_usage_limit');
    const { results } = await system.callAs(caller, listPeriods);
    expect(results.slice(1)).toEqual([
      { month: '2020-02', execution_units: 10, credits_used: 0.17, cpu_seconds: 10, subjobs: 1 },
    ]);
    expect(results[0]).toMatchObject({ execution_units: 91, cpu_seconds: 90.2, subjobs: 1 });
  });
});

describe('a plan', () => {
  it('is one of three, and the list marks the current one', async () => {
    const caller = ownerCaller();
    await choose(caller, 'free');
    const { results } = await system.callAs(caller, listPlans);
    expect(results).toMatchObject([
      { id: 'free', monthly_credits: 100, roles: false, current: true },
      { id: 'team', monthly_credits: 5_000, roles: false, current: false },
      { id: 'enterprise', roles: true, current: false },
    ]);
    expect(results[2]).not.toHaveProperty('monthly_credits');
  });

  it('with used-up credits restricts the vault until another plan is chosen', async () => {
    const caller = ownerCaller();
    await choose(caller, 'free');
    await use(caller, 100 * MINUTE - SECOND);
    expect(await customerOf(caller)).toMatchObject({ restricted: false, credits_used: 99.98, credits_remaining: 0.02 });
    await use(caller, SECOND);
    expect(await customerOf(caller)).toMatchObject({ restricted: true, credits_used: 100, credits_remaining: 0 });
    expect(await choose(caller, 'team')).toMatchObject({ restricted: false, plan: 'team', credits_remaining: 4_900 });
    expect(await choose(caller, 'free')).toMatchObject({ restricted: true });
    const { vault, user } = caller;
    expect(await publishedFor(vault)).toMatchObject([
      { name: 'billing.plan.changed', payload: { vault, number: 1, former: 'team', plan: 'free', user } },
      {
        name: 'billing.vault.restricted',
        payload: { vault, number: 1, reason: 'credits', stopRunning: false },
      },
      { name: 'billing.plan.changed', payload: { number: 2, former: 'free', plan: 'team' } },
      { name: 'billing.vault.released', payload: { vault, number: 2 } },
      { name: 'billing.plan.changed', payload: { number: 3, plan: 'free' } },
      { name: 'billing.vault.restricted', payload: { number: 3 } },
    ]);
  });

  it('that the vault already has changes nothing when chosen again', async () => {
    const caller = ownerCaller();
    await choose(caller, 'team');
    expect(await publishedFor(caller.vault)).toEqual([]);
  });

  it('that is closed cannot be chosen, but its customers keep it', async () => {
    const [outside, inside] = [ownerCaller(), ownerCaller()];
    await choose(inside, 'enterprise');
    const open = (whether: boolean) =>
      system.database.query(`UPDATE billing.plan SET open = $1 WHERE name = 'enterprise'`, [whether]);
    await open(false);
    try {
      await expect(choose(outside, 'enterprise')).rejects.toMatchObject({ code: 'forbidden' });
      expect((await customerOf(outside)).plan).toBe('team');
      expect((await choose(inside, 'enterprise')).plan).toBe('enterprise');
      const { results } = await system.callAs(inside, listPlans);
      expect(results.map((plan) => plan.open)).toEqual([true, true, false]);
    } finally {
      await open(true);
    }
  });

  it('with changed credits updates the restrictions of its customers without new usage', async () => {
    const caller = ownerCaller();
    await choose(caller, 'free');
    await use(caller, 100 * MINUTE);
    const setMonthlyCredits = (credits: number) =>
      system.database.query(`UPDATE billing.plan SET monthly_credits = $1 WHERE name = 'free'`, [credits]);
    const isRestricted = async (restricted: boolean) =>
      eventually(async () => expect(await customerOf(caller)).toMatchObject({ restricted }));
    try {
      await isRestricted(true);
      await setMonthlyCredits(500);
      const first = await system.start(start);
      await isRestricted(false);
      await first.close();
      await setMonthlyCredits(50);
      const second = await system.start(start);
      await isRestricted(true);
      await second.close();
      await setMonthlyCredits(500);
      expect(await choose(caller, 'free')).toMatchObject({ restricted: false, credits_remaining: 400 });
    } finally {
      await setMonthlyCredits(100);
    }
    const published = (await publishedFor(caller.vault)).filter(({ name }) => name.startsWith('billing.vault'));
    expect(published.map(({ name }) => name.split('.')[2])).toEqual([
      'restricted',
      'released',
      'restricted',
      'released',
    ]);
  });

  it('can be added by an operator, with or without roles', async () => {
    const caller = ownerCaller();
    await expect(choose(caller, 'pro')).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.plan': expect.any(String) },
    });
    await system.database.query(
      `INSERT INTO billing.plan (name, title, description, monthly_credits, roles, position) VALUES ('pro', 'Pro', '', 9, true, 4)`,
    );
    const setRoles = (roles: boolean) =>
      system.database.query(`UPDATE billing.plan SET roles = $1 WHERE name = 'pro'`, [roles]);
    try {
      expect(await choose(caller, 'pro')).toMatchObject({ plan: 'pro', credits_remaining: 9 });
      const { results } = await system.callAs(caller, listPlans);
      expect(results.at(-1)).toMatchObject({ id: 'pro', monthly_credits: 9, roles: true, current: true });
      await setRoles(false);
      const copy = await system.start(start);
      await eventually(async () =>
        expect(await publishedFor(caller.vault)).toMatchObject([
          { name: 'billing.plan.changed', payload: { number: 1, plan: 'pro', roles: true } },
          { name: 'billing.plan.amended', payload: { number: 2, plan: 'pro', roles: false } },
        ]),
      );
      await copy.close();
      expect((await choose(caller, 'team')).plan).toBe('team');
    } finally {
      await system.database.query(`DELETE FROM billing.plan WHERE name = 'pro'`);
    }
  });

  it('has limits that are published when a vault gets the plan, and when an operator changes them', async () => {
    const caller = ownerCaller();
    const setLimits = (subjobs: number | null, runs: number | null) =>
      system.database.query(
        `UPDATE billing.plan SET max_running_subjobs = $1, max_active_runs = $2 WHERE name = 'free'`,
        [subjobs, runs],
      );
    const publishedLimits = async () =>
      (await publishedFor(caller.vault))
        .filter(({ name }) => name === 'billing.limits.changed')
        .map((one) => one.payload);
    try {
      await choose(caller, 'team');
      await setLimits(4, null);
      await choose(caller, 'free');
      expect(await publishedLimits()).toMatchObject([{ number: 1, runningSubjobs: 4, activeRuns: null }]);
      const { results } = await system.callAs(caller, listPlans);
      expect(results[0]).toMatchObject({ id: 'free', max_running_subjobs: 4 });
      expect(results[0]).not.toHaveProperty('max_active_runs');
      await setLimits(4, 20);
      const copy = await system.start(start);
      await eventually(async () => expect(await publishedLimits()).toHaveLength(2));
      await copy.close();
      await choose(caller, 'team');
      expect((await publishedLimits()).slice(1)).toMatchObject([
        { number: 2, runningSubjobs: 4, activeRuns: 20 },
        { number: 3, runningSubjobs: null, activeRuns: null },
      ]);
    } finally {
      await setLimits(null, null);
    }
  });

  it('change stays on record and cannot be modified', async () => {
    const caller = ownerCaller();
    await choose(caller, 'free');
    for (const statement of [
      `UPDATE billing.plan_change SET plan = 'enterprise'`,
      'DELETE FROM billing.plan_change',
      'TRUNCATE billing.plan_change',
    ]) {
      await expect(system.database.query(statement)).rejects.toThrow('billing.plan_change is append-only');
    }
  });
});

describe('a usage limit', () => {
  it('restricts a vault immediately if usage has reached it, and otherwise lifts the restriction', async () => {
    const caller = ownerCaller();
    await use(caller, 10 * SECOND);
    expect(await limit(caller, 11)).toEqual({ cloud_usage_limit: 11, stop_running: false });
    expect(await limit(caller, 10, true)).toEqual({
      ...{ cloud_usage_limit: 10, stop_running: true, restriction: 'budget' },
    });
    expect(await customerOf(caller)).toMatchObject({ restricted: true, cloud_usage_limit: 10 });
    expect(await system.callAs(caller, getBudget)).toMatchObject({ restriction: 'budget' });
    expect(await limit(caller, null)).toEqual({ stop_running: false });
    expect(await customerOf(caller)).toMatchObject({ restricted: false });
    const published = (await publishedFor(caller.vault)).filter(({ name }) => name.startsWith('billing.vault'));
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(published.map(({ payload }) => payload)).toEqual([
      { vault: caller.vault, number: 1, at, reason: 'budget', stopRunning: true },
      { vault: caller.vault, number: 2, at },
    ]);
  });

  it('is published again if only the handling of running runs has changed', async () => {
    const caller = ownerCaller();
    await limit(caller, 0);
    await limit(caller, 0, true);
    const published = (await publishedFor(caller.vault)).filter(({ name }) => name === 'billing.vault.restricted');
    expect(published).toMatchObject([
      { payload: { stopRunning: false } },
      { payload: { number: 2, stopRunning: true } },
    ]);
  });
});

it('a new month lifts the restrictions of the previous one', async () => {
  const caller = ownerCaller();
  await choose(caller, 'free');
  await use(caller, 100 * MINUTE);
  expect(await customerOf(caller)).toMatchObject({ restricted: true });
  // Moves all usage to the previous month.
  await system.database.query(
    `UPDATE billing.usage_period SET month = month - interval '1 month' WHERE vault_id = $1`,
    [caller.vault],
  );
  await system.database.query(
    `UPDATE billing.customer SET judged_month = judged_month - interval '1 month' WHERE vault_id = $1`,
    [caller.vault],
  );
  await system.start(start);
  await eventually(async () => expect(await customerOf(caller)).toMatchObject({ restricted: false, credits_used: 0 }));
});
