import { expect } from '@jest/globals';
import { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import { executionUnits } from '@millrace/contracts/billing/execution-units';
import type { PlanName } from '@millrace/contracts/billing/plans';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import type { FreshDatabase } from '@millrace/testkit/fresh-database';
import { changeBudget } from '../budget/change-budget.js';
import { lockCustomer } from '../customers/lock-customer.js';
import { addEntries, type Attempt } from '../ledger/add-entries.js';
import { changePlan } from '../plans/change-plan.js';
import { decideRestriction } from '../restrictions/decide-restriction.js';
import { findOutdatedRestrictions } from '../restrictions/find-outdated-restrictions.js';
import { updateRestrictions } from '../restrictions/update-restrictions.js';

const CREDITS: Record<PlanName, number | null> = { free: 100, team: 5_000, enterprise: null };

/** The expected state of a vault. */
interface Model {
  plan: PlanName;
  limit: number | null;
  stopRunning: boolean;
  /** Units of the first report of each attempt, and the month in which they count. */
  attempts: Map<string, { units: number; month: string }>;
}

/** Customers in a database of their own. Applies changes like the service, and to a model of the expected state. */
export class BilledVaults {
  private readonly models = new Map<string, Model>();

  constructor(
    readonly database: Database,
    private readonly fresh: FreshDatabase,
  ) {}

  static open(fresh: FreshDatabase): BilledVaults {
    return new BilledVaults(new Database({ url: fresh.url, service: 'billing', connections: 8 }), fresh);
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.fresh.drop();
  }

  /** Starts over with new customers and forgets the earlier ones. */
  async begin(count: number): Promise<string[]> {
    const vaults = Array.from({ length: count }, newId);
    await this.database.client.customer.createMany({ data: vaults.map((vaultId) => ({ vaultId, name: 'Vault' })) });
    this.models.clear();
    for (const vault of vaults) {
      this.models.set(vault, { plan: 'enterprise', limit: null, stopRunning: false, attempts: new Map() });
    }
    return vaults;
  }

  async report(attempts: Attempt[], now: string): Promise<void> {
    for (const { vault, subjob, attempt, cpuMs, finishedAt } of attempts) {
      const { attempts: reported } = this.modelOf(vault);
      const key = `${subjob}#${attempt}`;
      if (!reported.has(key))
        reported.set(key, { units: executionUnits(cpuMs), month: `${finishedAt.slice(0, 7)}-01` });
    }
    await this.database.transaction(async (tx) => updateRestrictions(tx, await addEntries(tx, attempts), now));
  }

  async choose(vault: string, plan: PlanName, now: string): Promise<void> {
    this.modelOf(vault).plan = plan;
    const request = { plan, user: newId() };
    await this.database.transaction(async (tx) => changePlan(tx, await lockCustomer(tx, vault), request, now));
  }

  async limit(vault: string, limit: number | null, stopRunning: boolean, now: string): Promise<void> {
    Object.assign(this.modelOf(vault), { limit, stopRunning });
    const request = { limit, stopRunning, user: newId() };
    await this.database.transaction(async (tx) => {
      await lockCustomer(tx, vault);
      await changeBudget(tx, vault, request, now);
    });
  }

  async updateAll(now: string): Promise<void> {
    await this.database.transaction((tx) => updateRestrictions(tx, [...this.models.keys()], now));
  }

  /** Expects that ledger, monthly sums, restrictions and published events match the model. */
  async expectConsistent(now: string): Promise<void> {
    for (const vault of this.models.keys()) {
      await this.expectSums(vault);
      await this.expectRestriction(vault, now);
    }
    const current = await this.database.client.customer.findMany({
      where: { vaultId: { in: [...this.models.keys()] }, judgedMonth: new Date(now) },
    });
    const outdated = await findOutdatedRestrictions(this.database, now, { after: null, limit: 10_000 });
    expect(current.filter(({ vaultId }) => outdated.includes(vaultId))).toEqual([]);
  }

  private async expectSums(vault: string): Promise<void> {
    const expected = new Map<string, number>();
    for (const { units, month } of this.modelOf(vault).attempts.values())
      expected.set(month, (expected.get(month) ?? 0) + units);
    const ledger = await this.database.client.$queryRaw<{ month: string; units: number }[]>`
      SELECT to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM-01') AS month, sum(units)::float8 AS units
       FROM billing.usage_entry WHERE vault_id = ${vault}::uuid GROUP BY 1`;
    expect(new Map(ledger.map(({ month, units }) => [month, units]))).toEqual(expected);
    const periods = await this.database.client.$queryRaw<{ month: string; units: number; same: boolean }[]>`
      SELECT month::text, units::float8, subjobs = (SELECT count(*) FROM billing.usage_entry e WHERE e.vault_id = p.vault_id
         AND date_trunc('month', e.finished_at AT TIME ZONE 'UTC') = p.month) AS same
       FROM billing.usage_period p WHERE vault_id = ${vault}::uuid`;
    expect(new Map(periods.map(({ month, units }) => [month, units]))).toEqual(expected);
    expect(periods.every(({ same }) => same)).toBe(true);
  }

  private async expectRestriction(vault: string, now: string): Promise<void> {
    const { plan, limit, stopRunning, attempts } = this.modelOf(vault);
    const used = [...attempts.values()].filter(({ month }) => month === now).map(({ units }) => units);
    const units = used.reduce((sum, one) => sum + one, 0);
    const restriction = decideRestriction({ units, monthlyCredits: CREDITS[plan], usageLimit: limit });
    const customer = await this.database.client.customer.findUniqueOrThrow({ where: { vaultId: vault } });
    const stops = restriction === 'budget' && stopRunning;
    expect(customer).toMatchObject({ plan, restriction, stopsRunning: stops });
    const published = await this.database.client.$queryRaw<
      { name: string; number: number; reason: string | null; stops: boolean | null }[]
    >`
      SELECT name, (payload->>'number')::int AS number, payload->>'reason' AS reason,
         (payload->>'stopRunning')::boolean AS stops
       FROM messaging.outbox WHERE name IN (${vaultRestricted.name}, ${vaultUnrestricted.name}) AND payload->>'vault' = ${vault} ORDER BY 2`;
    expect(published.map(({ number }) => number)).toEqual(published.map((_, at) => at + 1));
    const last = published.at(-1) ?? { reason: null, stops: null };
    expect([last.reason, last.stops ?? false]).toEqual([restriction, stops]);
  }

  private modelOf(vault: string): Model {
    const model = this.models.get(vault);
    if (!model) throw new Error(`Vault ${vault} was not added`);
    return model;
  }
}
