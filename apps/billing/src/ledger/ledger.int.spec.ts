import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import type { Payload } from '@millrace/contracts/kit/event';
import { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { newId } from '@millrace/persistence/ids';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

type Entry = Payload<typeof subjobsFinished>['entries'][number];

let system: System;
let runs: EventSource;
beforeAll(async () => {
  system = await startApps([start]);
  runs = await system.sourceOf('runs');
});
afterAll(() => system.close());

let subjobs = 0;
const entryOf = (vault: string, fields: Partial<Entry> = {}): Entry => ({
  subjob: String(++subjobs),
  run: '7',
  vault,
  workflow: newId(),
  attempt: 1,
  cpuMs: 1_500,
  finishedAt: '2026-01-02T03:04:05.678Z',
  ...fields,
});

const ledgerOf = (vault: string) =>
  system.database.query<{ subjob: string; attempt: number; units: number; cpu_ms: number; finished_at: Date }>(
    `SELECT subjob, attempt, units, cpu_ms, finished_at FROM billing.usage_entry WHERE vault_id = $1
     ORDER BY subjob, attempt`,
    [vault],
  );

const untilLedger = (vault: string, length: number) =>
  eventually(async () => {
    const ledger = await ledgerOf(vault);
    expect(ledger).toHaveLength(length);
    return ledger;
  });

describe('finished subjobs', () => {
  it('have one ledger entry each', async () => {
    const vault = newId();
    const entries = [entryOf(vault), entryOf(vault, { cpuMs: 0 }), entryOf(vault, { cpuMs: 12_000.5 })];
    await runs.emit(subjobsFinished, { entries });
    const ledger = await untilLedger(vault, 3);
    expect(ledger.map(({ units, cpu_ms }) => [cpu_ms, units])).toEqual([
      [1_500, 2],
      [0, 0],
      [12_000.5, 13],
    ]);
    expect(ledger[0]?.finished_at.toISOString()).toBe('2026-01-02T03:04:05.678Z');
  });

  it('that two events report have one entry, with the values of the first report', async () => {
    const vault = newId();
    const [first, second] = [entryOf(vault), entryOf(vault)];
    await runs.emit(subjobsFinished, { entries: [first] });
    await runs.emit(subjobsFinished, { entries: [{ ...first, cpuMs: 99_000 }, second] });
    const ledger = await untilLedger(vault, 2);
    expect(ledger.map(({ units }) => units)).toEqual([2, 2]);
  });

  it('have another entry for each further attempt', async () => {
    const vault = newId();
    const entry = entryOf(vault);
    await runs.emit(subjobsFinished, { entries: [entry, { ...entry, attempt: 2 }] });
    expect(await untilLedger(vault, 2)).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  });

  it('can arrive a thousand at a time', async () => {
    const vault = newId();
    await runs.emit(subjobsFinished, { entries: Array.from({ length: 1_000 }, () => entryOf(vault)) });
    await untilLedger(vault, 1_000);
  });

  it('can be an empty list', async () => {
    const vault = newId();
    await runs.emit(subjobsFinished, { entries: [] });
    await runs.emit(subjobsFinished, { entries: [entryOf(vault)] });
    await untilLedger(vault, 1);
  });
});

describe('a ledger entry', () => {
  it('cannot be changed or deleted', async () => {
    const vault = newId();
    await runs.emit(subjobsFinished, { entries: [entryOf(vault)] });
    await untilLedger(vault, 1);
    for (const statement of [
      'UPDATE billing.usage_entry SET units = 0',
      'DELETE FROM billing.usage_entry',
      'TRUNCATE billing.usage_entry',
    ]) {
      await expect(system.database.query(statement)).rejects.toThrow('billing.usage_entry is append-only');
    }
    await untilLedger(vault, 1);
  });

  it('of a vault without a customer counts when the customer is created', async () => {
    const vault = newId();
    await runs.emit(subjobsFinished, {
      entries: [entryOf(vault, { cpuMs: 6_000_000, finishedAt: new Date().toISOString() })],
    });
    await untilLedger(vault, 1);
    const auth = await system.sourceOf('auth');
    await auth.emit(vaultCreated, { vault, owner: newId(), name: 'Vault', plan: 'free' });
    await eventually(async () => {
      const rows = await system.database.query('SELECT restriction FROM billing.customer WHERE vault_id = $1', [vault]);
      expect(rows).toEqual([{ restriction: 'credits' }]);
    });
  });
});
