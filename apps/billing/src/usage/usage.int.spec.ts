import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportUsage, listUsage, type UsageGroup } from '@millrace/contracts/billing/usage';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { findNames } from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

/** Names that the workflows service returns. */
const names: Record<string, string> = {};

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
  const workflows = await system.fake('workflows');
  workflows.on(findNames, ({ body }) => ({
    names: Object.fromEntries((body as { ids: string[] }).ids.flatMap((id) => (names[id] ? [[id, names[id]]] : []))),
  }));
});
afterAll(() => system.close());

interface Used {
  workflow?: string;
  space?: string | null;
  run?: number;
  units?: number;
  at?: string;
}

let subjobs = 0;
const enter = async (caller: Caller, used: Used[]): Promise<void> => {
  const rows = used.map(({ workflow = newId(), space = newId(), run = 1, units = 1, at = '2026-01-15T12:00:00Z' }) => ({
    ...{ subjob: ++subjobs, attempt: 1, run, vault_id: caller.vault, workflow_id: workflow, space_id: space },
    ...{ cpu_ms: units * 1_000 - 500, units, finished_at: at },
  }));
  await system.database.query(
    'INSERT INTO billing.usage_entry SELECT * FROM jsonb_populate_recordset(NULL::billing.usage_entry, $1)',
    [JSON.stringify(rows)],
  );
};

const JANUARY = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const usageOf = (caller: Caller, group_by: UsageGroup, query: object = {}) =>
  system.callAs(caller, listUsage, { query: { ...JANUARY, group_by, ...query } });

describe('usage', () => {
  it('by day uses days in UTC, including the start and excluding the end of the range', async () => {
    const caller = ownerCaller();
    await enter(caller, [
      { at: '2025-12-31T23:59:59.999Z' },
      { at: '2026-01-01T00:00:00Z', units: 2, run: 1 },
      { at: '2026-01-01T23:59:59.999Z', units: 3, run: 1 },
      { at: '2026-01-02T01:00:00+02:00', units: 4, run: 2 },
      { at: '2026-01-31T23:59:59.999Z', units: 5, run: 2 },
      { at: '2026-02-01T00:00:00Z' },
    ]);
    await enter(ownerCaller(), [{ units: 100 }]);
    expect(await usageOf(caller, 'day')).toEqual({
      results: [
        { day: '2026-01-01', execution_units: 9, cpu_seconds: 7.5, subjobs: 3, runs: 2 },
        { day: '2026-01-31', execution_units: 5, cpu_seconds: 4.5, subjobs: 1, runs: 1 },
      ],
      count: 2,
      total: { execution_units: 14, cpu_seconds: 12, subjobs: 4, runs: 2 },
    });
  });

  it('by workflow and by space is sorted by descending usage, with names except for deleted ones', async () => {
    const caller = ownerCaller();
    const [smallWorkflow, largeWorkflow, existingSpace, deletedSpace] = [newId(), newId(), newId(), newId()];
    names[largeWorkflow] = 'Much';
    names[existingSpace] = 'Here';
    await enter(caller, [
      { workflow: smallWorkflow, space: existingSpace },
      { workflow: largeWorkflow, space: existingSpace, units: 5 },
      { workflow: largeWorkflow, space: deletedSpace, units: 5 },
      { workflow: largeWorkflow, space: null },
    ]);
    const byWorkflow = await usageOf(caller, 'workflow');
    expect(byWorkflow.results).toMatchObject([
      { workflow: largeWorkflow, workflow_name: 'Much', execution_units: 11 },
      { workflow: smallWorkflow, execution_units: 1 },
    ]);
    expect(byWorkflow.results[1]).not.toHaveProperty('workflow_name');
    const bySpace = await usageOf(caller, 'space');
    expect(bySpace).toMatchObject({
      results: [
        { space: existingSpace, space_name: 'Here', execution_units: 6 },
        { space: deletedSpace },
        { execution_units: 1 },
      ],
      count: 3,
      total: { execution_units: 12, subjobs: 4, runs: 1 },
    });
    expect(bySpace.results[2]).not.toHaveProperty('space');
  });

  it('is returned in pages that have each workflow once', async () => {
    const caller = ownerCaller();
    const workflows = Array.from({ length: 25 }, newId);
    await enter(
      caller,
      workflows.map((workflow) => ({ workflow })),
    );
    const pages = await Promise.all([1, 2, 3].map((page) => usageOf(caller, 'workflow', { page, page_size: 10 })));
    const listed = pages.flatMap(({ results }) => results.map(({ workflow }) => workflow));
    expect(listed.sort()).toEqual(workflows.sort());
    for (const { count, total } of pages) expect([count, total.execution_units]).toEqual([25, 25]);
  });

  it('is zero without entries, even at the limits of dates', async () => {
    const caller = ownerCaller();
    for (const query of [
      {},
      { from: '0001-01-01T00:00:00+14:00', to: '0001-01-01T00:00:00+14:00' },
      { from: '9999-12-31T23:59:59-14:00', to: '9999-12-31T23:59:59-14:00' },
      { from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z' },
    ]) {
      expect(await system.callAs(caller, listUsage, { query })).toEqual({
        results: [],
        count: 0,
        total: { execution_units: 0, cpu_seconds: 0, subjobs: 0, runs: 0 },
      });
    }
  });

  it('covers at most one year', async () => {
    const query = { from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00.001Z' };
    await expect(system.callAs(ownerCaller(), listUsage, { query })).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'query.from': expect.stringContaining('366') },
    });
  });

  it('is refused for a range that ends before it begins', async () => {
    const query = { from: JANUARY.to, to: JANUARY.from };
    for (const operation of [listUsage, exportUsage]) {
      await expect(system.callAs(ownerCaller(), operation, { query })).rejects.toMatchObject({
        code: 'validation_error',
        details: { 'query.to': expect.any(String) },
      });
    }
  });
});

describe('usage as CSV', () => {
  /** Requests all parts like the gateway. */
  async function csvOf(caller: Caller, group_by: UsageGroup): Promise<{ text: string; parts: number }> {
    let text = '';
    let after: string | undefined;
    for (let parts = 1; ; parts++) {
      const query = { ...JANUARY, group_by, ...(after !== undefined && { after }) };
      const { content, next } = await system.callAs(caller, exportUsage, { query });
      text += content;
      if (next === null) return { text, parts };
      after = next;
    }
  }

  it('has one header and each line once, even in several parts', async () => {
    const caller = ownerCaller();
    const used = Array.from({ length: 2_500 }, (_, at) => ({ workflow: newId(), units: (at % 7) + 1 }));
    await enter(caller, used);
    const { text, parts } = await csvOf(caller, 'workflow');
    expect(parts).toBe(3);
    const [head, ...lines] = text.trimEnd().split('\n');
    expect(head).toBe('workflow,workflow_name,execution_units,cpu_seconds,subjobs,runs');
    expect(lines).toEqual(used.map(({ workflow, units }) => `${workflow},,${units},${units - 0.5},1,1`).sort());
  });

  it('has no text that a spreadsheet would run as a formula', async () => {
    const caller = ownerCaller();
    const workflow = newId();
    names[workflow] = '=HYPERLINK("http://evil","x"), or not';
    await enter(caller, [{ workflow }]);
    const { text } = await csvOf(caller, 'workflow');
    expect(text.split('\n')[1]).toBe(`${workflow},"'=HYPERLINK(""http://evil"",""x""), or not",1,0.5,1,1`);
  });

  it('has a line for usage without a space, and the day if grouped by day', async () => {
    const caller = ownerCaller();
    await enter(caller, [{ space: null }]);
    expect((await csvOf(caller, 'space')).text).toBe(
      'space,space_name,execution_units,cpu_seconds,subjobs,runs\n,,1,0.5,1,1\n',
    );
    expect((await csvOf(caller, 'day')).text).toBe(
      'day,execution_units,cpu_seconds,subjobs,runs\n2026-01-15,1,0.5,1,1\n',
    );
  });
});
