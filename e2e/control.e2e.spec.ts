import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { auditLog, control, runs } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { runToEnd, script, startRun, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const CHILDREN = 8;

/** Children that take half a second each. */
const draft = {
  nodes: {
    'hosts-1': script(`seq ${CHILDREN}`),
    'scan-1': script('sleep 0.5; echo "host $1"', {
      inputs: { item: { type: 'STRING', order: 1 } },
      distribution: { input: 'item', mode: 'line' },
    }),
    'all-1': script('cat in/scan-1/*/output.txt'),
  },
  edges: [
    ['hosts-1/file', 'scan-1/item'],
    ['scan-1/folder', 'all-1/folder'],
  ] as [string, string][],
};

const get = (id: string) => account.client.call(runs.getRun, { params: { id } });
const pause = (id: string) => account.client.call(control.pauseRun, { params: { id } });
const resume = (id: string) => account.client.call(control.resumeRun, { params: { id } });
const update = (id: string, body: { name?: string; parallelism?: number; priority?: number; pinned?: boolean }) =>
  account.client.call(control.updateRun, { params: { id }, body });

/** Starts a run, and waits until a child has ended. */
async function startChildren(): Promise<string> {
  const { id } = await startRun(account, draft);
  await eventually(async () => expect((await get(id)).run_insights.succeeded).toBeGreaterThanOrEqual(2), {
    withinMs: 60_000,
  });
  return id;
}

describe('a paused run', () => {
  it('starts nothing until it is resumed, and then completes with all results', async () => {
    const id = await startChildren();
    expect(await pause(id)).toMatchObject({ paused: true, status: 'RUNNING', finished: false });
    await eventually(async () => expect((await get(id)).run_insights.running).toBe(0), { withinMs: 30_000 });
    const paused = await get(id);
    expect(paused.waiting_for?.map(({ reason }) => reason)).toContain('paused');
    await sleep(2_000);
    expect((await get(id)).run_insights).toEqual(paused.run_insights);
    expect(paused.run_insights.pending).toBeGreaterThan(0);
    expect((await pause(id)).paused).toBe(true);
    expect((await resume(id)).paused).toBe(false);
    const ended = await waitForEnd(account.client, id);
    expect(ended).toMatchObject({ status: 'COMPLETED', paused: false, run_insights: { succeeded: CHILDREN + 2 } });
    await expect(pause(id)).rejects.toMatchObject({ code: 'validation_error' });
    const pauses: boolean[] = [];
    for await (const event of account.client.runs.events(id)) {
      if (event.type === 'change' && event.change.paused !== undefined) pauses.push(event.change.paused);
    }
    expect(pauses).toEqual([true, false]);
  });

  it('can be stopped', async () => {
    const id = await startChildren();
    await pause(id);
    await account.client.call(runs.stopRun, { params: { id } });
    expect(await waitForEnd(account.client, id)).toMatchObject({ status: 'STOPPED', paused: false });
  });

  it('does not exceed its timeout by the time of the pause', async () => {
    const { workflow_info: workflow } = await runToEnd(account, draft);
    const body = { timeout_seconds: 8, parallelism: 2 };
    const { id } = await account.client.call(runs.createRun, { params: { id: workflow }, body });
    await pause(id);
    await sleep(9_000);
    expect((await get(id)).finished).toBe(false);
    await resume(id);
    expect((await waitForEnd(account.client, id)).status).toBe('COMPLETED');
  });
});

describe('a run that is changed', () => {
  it('has the new name, parallelism and priority, and the audit log names who changed it', async () => {
    const { id } = await startRun(account, draft);
    const changes = { name: 'urgent', parallelism: 1, priority: 5, pinned: true };
    expect(await update(id, changes)).toMatchObject(changes);
    expect(await get(id)).toMatchObject(changes);
    await account.client.call(runs.stopRun, { params: { id } });
    await waitForEnd(account.client, id);
    await eventually(async () => {
      const { results } = await account.client.call(auditLog.listAuditLog, { query: {} });
      const own = results.filter(({ target_id }) => target_id === id).map(({ action }) => action);
      expect(own).toEqual(expect.arrayContaining(['run.changed', 'run.stopped']));
    });
  });

  it('refuses values out of range, and changes nothing', async () => {
    const { id } = await runToEnd(account, draft);
    for (const body of [{ priority: 11 }, { priority: 0.5 }, { parallelism: 0 }, { name: '' }]) {
      await expect(update(id, { name: 'other', ...body })).rejects.toMatchObject({ code: 'validation_error' });
    }
    expect((await get(id)).name).not.toBe('other');
  });
});
