import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { vaultAdministered } from '@millrace/contracts/auth/admin/admin-vaults';
import { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import { vaultLimitsChanged } from '@millrace/contracts/billing/plans';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Payload } from '@millrace/contracts/kit/event';
import { createRun, getRun, launchRun, listRuns, stopRun } from '@millrace/contracts/runs/runs';
import { loadForRun } from '@millrace/contracts/workflows/workflows';
import { drawChain } from '@millrace/graph/testing/draw-workflow';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
let folder: string;
let workflows: FakeService;
let billing: EventSource;
let auth: EventSource;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restrictions-'));
  system = await startApps([start, start], { STORAGE_DIR: folder, VAULT_MAX_ACTIVE_RUNS: '5' });
  billing = await system.sourceOf('billing');
  auth = await system.sourceOf('auth');
  workflows = await system.fake('workflows');
  workflows.on(loadForRun, ({ body }) => ({
    workflow: {
      ...{ id: (body as { workflow: string }).workflow, name: 'Workflow', space: newId(), spaceName: 'Space' },
      ...{ project: null, projectName: null },
    },
    version: newId(),
    author: newId(),
    content: { data: drawChain(1).data(), modules: {} },
    files: [],
  }));
});
afterAll(async () => {
  await system.close();
  await rm(folder, { recursive: true });
});

const begin = (caller: Caller) => system.callAs(caller, createRun, { params: { id: newId() }, body: {} });
const launch = (caller: Caller) => {
  const body = { workflow: newId(), origin: `tick ${newId()}`, inputs: {}, creationType: 'SCHEDULED' as const };
  return workflows.call(launchRun, body, caller);
};

const now = () => new Date().toISOString();

/** Publishes a restriction as billing does, and waits until runs has handled it. */
async function restrict(caller: Caller, number: number, reason: 'credits' | 'budget', stopRunning = false) {
  await billing.emit(vaultRestricted, { vault: caller.vault, number, at: now(), reason, stopRunning });
  await waitUntilHandled(caller, number);
}
async function release(caller: Caller, number: number) {
  await billing.emit(vaultUnrestricted, { vault: caller.vault, number, at: now() });
  await waitUntilHandled(caller, number);
}
const waitUntilHandled = ({ vault }: Caller, number: number) =>
  eventually(async () => {
    const rows = await system.database.query<{ number: number }>(
      'SELECT number FROM runs.vault_restriction WHERE vault_id = $1',
      [vault],
    );
    expect(rows[0]?.number).toBeGreaterThanOrEqual(number);
  });

const publishActiveRuns = (caller: Caller, number: number, activeRuns: number | null) =>
  billing.emit(vaultLimitsChanged, { vault: caller.vault, number, runningSubjobs: null, activeRuns });

/** Publishes the limit of a plan as billing does, and waits until runs has handled it. */
async function allowActiveRuns(caller: Caller, number: number, activeRuns: number) {
  await publishActiveRuns(caller, number, activeRuns);
  const sql = 'SELECT number FROM runs.vault_limit WHERE vault_id = $1';
  await eventually(async () => expect(await system.database.query(sql, [caller.vault])).toEqual([{ number }]));
}

const refusal = (reason: string) => ({ code: 'forbidden', details: { restriction: { reason } } });
const countRuns = async ({ vault }: Caller) =>
  (await system.database.query('SELECT 1 FROM runs.run WHERE vault_id = $1', [vault])).length;

describe('a restricted vault', () => {
  it('cannot start runs in any way; the error gives the reason, and nothing is stored', async () => {
    const caller = ownerCaller();
    await restrict(caller, 1, 'credits');
    await expect(begin(caller)).rejects.toMatchObject(refusal('credits'));
    await expect(launch(caller)).rejects.toMatchObject(refusal('credits'));
    await restrict(caller, 2, 'budget');
    await expect(begin(caller)).rejects.toMatchObject(refusal('budget'));
    expect(await countRuns(caller)).toBe(0);
    await expect(begin(ownerCaller())).resolves.toMatchObject({ finished: false });
  });

  it('can start runs again when the restriction is lifted', async () => {
    const caller = ownerCaller();
    await restrict(caller, 1, 'credits');
    await release(caller, 2);
    await expect(begin(caller)).resolves.toMatchObject({ execution_units: 0 });
    await expect(launch(caller)).resolves.toMatchObject({ busy: false });
  });

  it('has the latest published restriction, for any order of the events', async () => {
    const caller = ownerCaller();
    await release(caller, 4);
    await billing.emit(vaultRestricted, {
      vault: caller.vault,
      number: 3,
      at: now(),
      reason: 'credits',
      stopRunning: false,
    });
    await billing.emit(vaultRestricted, {
      vault: caller.vault,
      number: 5,
      at: now(),
      reason: 'budget',
      stopRunning: false,
    });
    await billing.emit(vaultUnrestricted, { vault: caller.vault, number: 2, at: now() });
    await waitUntilHandled(caller, 5);
    await expect(begin(caller)).rejects.toMatchObject(refusal('budget'));
  });

  it('keeps its runs unless the restriction stops them; then they fail with the reason', async () => {
    const [lenient, strict] = [ownerCaller(), ownerCaller()];
    const [continued, stopped] = [await begin(lenient), await begin(strict)];
    await restrict(lenient, 1, 'budget');
    await restrict(strict, 1, 'budget', true);
    await eventually(async () => {
      const run = await system.callAs(strict, getRun, { params: { id: stopped.id } });
      expect(run).toMatchObject({ status: 'FAILED', finished: true, error: expect.stringContaining('usage limit') });
    });
    expect(await system.callAs(lenient, getRun, { params: { id: continued.id } })).toMatchObject({ finished: false });
  });

  it('has no run left if a restriction stops all runs while others start', async () => {
    const caller = ownerCaller();
    await allowActiveRuns(caller, 1, 100);
    const launches = Array.from({ length: 30 }, () => begin(caller));
    await restrict(caller, 1, 'budget', true);
    const results = await Promise.allSettled([...launches, begin(caller)]);
    const started = results.filter(({ status }) => status === 'fulfilled');
    expect(started.length).toBeLessThan(results.length);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject(refusal('budget'));
    }
    expect(await countRuns(caller)).toBe(started.length);
    await eventually(async () => {
      const open = 'SELECT 1 FROM runs.run WHERE vault_id = $1 AND finished_at IS NULL';
      expect(await system.database.query(open, [caller.vault])).toEqual([]);
    });
  });
});

describe('a vault with as many active runs as it may have', () => {
  it('cannot start another until one ends, by a user or by a schedule, and other vaults can', async () => {
    const caller = ownerCaller();
    for (let n = 0; n < 5; n++) await begin(caller);
    const refused = { code: 'rate_limited', message: expect.stringContaining('5 runs that have not ended') };
    await expect(begin(caller)).rejects.toMatchObject(refused);
    await expect(launch(caller)).rejects.toMatchObject(refused);
    expect(await countRuns(caller)).toBe(5);
    await begin(ownerCaller());
    const { results } = await system.callAs(caller, listRuns, { query: {} });
    const [run] = results;
    if (!run) throw new Error('The vault has no runs');
    await system.callAs(caller, stopRun, { params: { id: run.id } });
    await begin(caller);
  });

  it('may have as many runs as its plan allows, by the latest published limits', async () => {
    const caller = ownerCaller();
    await allowActiveRuns(caller, 2, 1);
    await publishActiveRuns(caller, 1, 9);
    await begin(caller);
    await expect(begin(caller)).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('This vault has 1 runs'),
    });
    await publishActiveRuns(caller, 3, null);
    await eventually(() => begin(caller));
  });
});

describe('a vault about which an administrator has decided', () => {
  const NOTHING = { suspended: false, stopRuns: false, activeRuns: null, dispatches: null, storageBytes: null };

  /** Publishes a decision as auth does, and waits until runs has handled it. */
  async function decide(caller: Caller, number: number, decision: Partial<Payload<typeof vaultAdministered>>) {
    await auth.emit(vaultAdministered, { ...NOTHING, liveRows: null, ...decision, vault: caller.vault, number });
    await eventually(async () => {
      const sql = 'SELECT number FROM runs.vault_override WHERE vault_id = $1';
      expect(await system.database.query(sql, [caller.vault])).toEqual([{ number }]);
    });
  }

  it('starts nothing while it is suspended, can be read, and starts runs again afterwards', async () => {
    const caller = ownerCaller();
    const { id } = await begin(caller);
    await decide(caller, 1, { suspended: true });
    const refused = { code: 'forbidden', details: { restriction: { reason: 'suspended' } } };
    await expect(begin(caller)).rejects.toMatchObject(refused);
    await expect(launch(caller)).rejects.toMatchObject(refused);
    expect(await system.callAs(caller, getRun, { params: { id } })).toMatchObject({ finished: false });
    await decide(caller, 2, {});
    await begin(caller);
  });

  it('loses its active runs if the suspension stops them', async () => {
    const caller = ownerCaller();
    const { id } = await begin(caller);
    await decide(caller, 1, { suspended: true, stopRuns: true });
    await eventually(async () =>
      expect(await system.callAs(caller, getRun, { params: { id } })).toMatchObject({
        status: 'FAILED',
        error: expect.stringContaining('suspended'),
      }),
    );
  });

  it('has the limit of the administrator rather than that of its plan', async () => {
    const caller = ownerCaller();
    await billing.emit(vaultLimitsChanged, { vault: caller.vault, number: 1, runningSubjobs: null, activeRuns: 1 });
    await decide(caller, 1, { activeRuns: 2 });
    await begin(caller);
    await begin(caller);
    await expect(begin(caller)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
