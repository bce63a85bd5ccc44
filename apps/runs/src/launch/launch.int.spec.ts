import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { getRun, launchRun, stopRun } from '@millrace/contracts/runs/runs';
import { loadForRun } from '@millrace/contracts/workflows/workflows';
import { drawChain } from '@millrace/graph/testing/draw-workflow';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

const SPACE = newId();
const VERSION = newId();

let system: System;
let folder: string;
let workflows: FakeService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'launch-'));
  system = await startApps([start, start], { STORAGE_DIR: folder });
  workflows = await system.fake('workflows');
  workflows.on(loadForRun, ({ body }) => ({
    workflow: {
      ...{ id: (body as { workflow: string }).workflow, name: 'Workflow', space: SPACE, spaceName: 'Space' },
      ...{ project: null, projectName: null },
    },
    version: VERSION,
    author: newId(),
    content: { data: drawChain(1).primitive('f-1', 'FILE', null).data(), modules: {} },
    files: [],
  }));
});
afterAll(async () => {
  await system.close();
  await rm(folder, { recursive: true });
});

interface LaunchRequest {
  workflow: string;
  origin: string;
  schedule?: string;
  inputs?: Record<string, string>;
}

const launch = (caller: Caller, request: LaunchRequest) => {
  const body = { inputs: {}, ...request, creationType: 'SCHEDULED' as const };
  return workflows.call(launchRun, body, caller);
};

describe('an automatic run', () => {
  it('starts once per origin, even with many concurrent requests', async () => {
    const caller = ownerCaller();
    const request = { workflow: newId(), origin: `schedule ${newId()}`, schedule: newId() };
    const results = await Promise.all(Array.from({ length: 8 }, () => launch(caller, request)));
    const id = results[0]?.run ?? '';
    for (const result of [...results, await launch(caller, request)]) expect(result).toEqual({ run: id, busy: false });
    const run = await system.callAs(caller, getRun, { params: { id } });
    expect(run).toMatchObject({ creation_type: 'SCHEDULED', author: caller.user, workflow_version_info: VERSION });
  });

  it('does not start while another run of its schedule is unfinished, and runs.run.finished names the schedule', async () => {
    const caller = ownerCaller();
    const [workflow, schedule] = [newId(), newId()];
    const next = () => launch(caller, { workflow, schedule, origin: `schedule ${newId()}` });
    const results = await Promise.all(Array.from({ length: 8 }, next));
    const [first, ...others] = results.filter(({ busy }) => !busy);
    expect(others).toEqual([]);
    for (const { run } of results) expect(run).toBe(first?.run);
    await system.callAs(caller, stopRun, { params: { id: first?.run ?? '' } });
    expect(await next()).toMatchObject({ busy: false });
    const ended = await system.database.query<{ schedule: string }>(
      `SELECT payload->>'schedule' AS schedule FROM messaging.outbox
        WHERE name = 'runs.run.finished' AND payload->>'run' = $1`,
      [first?.run],
    );
    expect(ended).toEqual([{ schedule }]);
  });

  it('publishes the user who stopped it in runs.run.finished', async () => {
    const caller = ownerCaller();
    const { run } = await launch(caller, { workflow: newId(), origin: `schedule ${newId()}` });
    const other = ownerCaller({ vault: caller.vault });
    await system.callAs(other, stopRun, { params: { id: run } });
    const [end] = await system.database.query<{ payload: object }>(
      `SELECT payload FROM messaging.outbox WHERE name = 'runs.run.finished' AND payload->>'run' = $1`,
      [run],
    );
    expect(end?.payload).toMatchObject({ status: 'STOPPED', author: caller.user, stoppedBy: other.user });
  });

  it('requires a role that may start runs', async () => {
    const owner = ownerCaller();
    const request = () => ({ workflow: newId(), origin: `hook ${newId()}` });
    await expect(launch(memberCaller(owner, { [SPACE]: 'read' }), request())).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(launch(memberCaller(owner, {}), request())).rejects.toMatchObject({ code: 'not_found' });
    expect(await launch(memberCaller(owner, { [SPACE]: 'execute' }), request())).toMatchObject({ busy: false });
  });

  it('stores its plan again if that was deleted as unused, although the services remember it', async () => {
    const start = () => launch(ownerCaller(), { workflow: newId(), origin: `hook ${newId()}` });
    const runs = [await start(), await start(), await start(), await start()];
    const [row] = await system.database.query<{ plan: string }>('SELECT plan FROM runs.run WHERE id = $1', [
      runs[0]?.run,
    ]);
    const plan = row?.plan ?? '';
    await system.database.query('DELETE FROM runs.run WHERE plan = $1', [plan]);
    await system.database.query(
      `INSERT INTO contents.unused (sha256, state, gone_at) VALUES ($1, 'GONE', now())
        ON CONFLICT (sha256) DO UPDATE SET state = 'GONE', gone_at = now()`,
      [plan],
    );
    const store = new DiskStore(folder);
    await store.remove(plan);
    expect(await start()).toMatchObject({ busy: false });
    expect(await store.has(plan)).toBe(true);
  });

  it('is refused if a stored file does not exist, and the error names an input without label by its id', async () => {
    const inputs = { 'f-1': 'millrace://file/none.txt' };
    await expect(launch(ownerCaller(), { workflow: newId(), origin: `hook ${newId()}`, inputs })).rejects.toMatchObject(
      { code: 'validation_error', details: { 'inputs.f-1': 'File none.txt does not exist in this vault.' } },
    );
  });

  it('is not found by another vault with the same origin', async () => {
    const request = { workflow: newId(), origin: `hook ${newId()}` };
    await launch(ownerCaller(), request);
    await expect(launch(ownerCaller(), request)).rejects.toMatchObject({ code: 'internal_error' });
  });
});
