import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeVault } from '@millrace/contracts/auth/vaults';
import type { Request } from '@millrace/contracts/kit/operation';
import { openVariables } from '@millrace/contracts/runs/engine';
import { downloadOutput, listRunOutputs } from '@millrace/contracts/runs/outputs';
import { revealSecrets } from '@millrace/contracts/workflows/secrets';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import type { Plan } from '@millrace/graph/plan/plan';
import { createRecipient } from '@millrace/messaging/crypto/sealed-box';
import { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { ownerCaller } from '@millrace/testkit/callers';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { PlanStore } from '../engine/plans/plan-store.js';
import { insertRun } from '../launch/insert-run.js';
import { start } from '../start.js';

type Revealed = Request<typeof revealSecrets>['body'];

const folder = mkdtempSync(join(tmpdir(), 'variables-'));
const { publicKey: recipient } = createRecipient();
let system: System;
let database: Database;
let worker: FakeService;
let revealed: Revealed[];

beforeAll(async () => {
  system = await startApps([start], { STORAGE_DIR: folder });
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
  worker = await system.fake('worker');
  (await system.fake('workflows')).on(revealSecrets, ({ body }) => {
    revealed.push(body as Revealed);
    return { sealed: 'sealed', missing: [] };
  });
  (await system.fake('auth')).on(describeVault, () => ({ name: 'Home', users: [] }));
});
beforeEach(() => void (revealed = []));
afterAll(async () => {
  await database.close();
  await system.close();
  rmSync(folder, { recursive: true });
});

const usingVariables = (value: string) => ({
  nodes: { a: { type: 'SCRIPT', script: { source: 'x' }, inputs: { x: { type: 'STRING', value } } } },
});

const begin = (value: string): Promise<Run> => beginWith(compilePlan(usingVariables(value), {}));

async function beginWith(compiled: Plan): Promise<Run> {
  const plan = await new PlanStore(new DiskStore(folder)).save(compiled);
  const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
  return database.transaction((tx) =>
    insertRun(tx, {
      ...{ plan, workflow, vaultId: newId(), author: newId(), name: 'r', version: newId(), inputs: {} },
      ...{ creationType: 'MANUAL', status: 'PENDING', parallelism: 1, timeoutSeconds: null },
      ...{ origin: null, schedule: null, fetching: false },
    }),
  );
}

const dispatch = async (run: Run, more: { worker?: string; cancelled?: boolean; plan?: string } = {}) =>
  String((await database.client.dispatch.create({ data: { runId: run.id, segment: 0, ...more } })).id);
const open = (id: string, by = 'w-1') => worker.call(openVariables, { worker: by, dispatch: id, recipient });

describe('a worker that opens variables', () => {
  it('gets the variables that the plan names, from the run’s vault, space and author', async () => {
    const run = await begin('${{vars.B}}${{vars.A}}${{vars.RUN_ID}}${{vars.USER_ID}}${{vars.VAULT_NAME}}');
    expect(await open(await dispatch(run))).toEqual({
      ...{ sealed: 'sealed', missing: [] },
      plain: { RUN_ID: String(run.id), USER_ID: run.author, VAULT_NAME: 'Home' },
    });
    expect(revealed).toEqual([
      {
        run: String(run.id),
        vault: run.vaultId,
        space: run.spaceId,
        user: run.author,
        names: ['B', 'A'],
        modules: [],
        recipient,
      },
    ]);
  });

  it('gets the variables of modules from the spaces of the modules', async () => {
    const space = newId();
    const outer = { nodes: { ...usingVariables('${{vars.A}}').nodes, m: { type: 'WORKFLOW', workflow: 'm' } } };
    const module = { workflow_id: 'w', space, data: usingVariables('${{vars.A}}${{vars.B}}${{vars.RUN_ID}}') };
    const run = await beginWith(compilePlan(outer, { m: module }));
    expect(await open(await dispatch(run))).toMatchObject({ plain: { RUN_ID: String(run.id) } });
    expect(revealed).toMatchObject([{ space: run.spaceId, names: ['A'], modules: [{ space, names: ['A', 'B'] }] }]);
  });

  it('claims the dispatch', async () => {
    const id = await dispatch(await begin('${{vars.A}}'));
    await open(id, 'w-1');
    await open(id, 'w-1');
    await expect(open(id, 'w-2')).rejects.toMatchObject({ code: 'not_found' });
    expect(revealed).toHaveLength(2);
  });

  it('gets nothing for a dispatch of another worker, a cancelled one or a missing one', async () => {
    const run = await begin('${{vars.A}}');
    const ids = [await dispatch(run, { worker: 'w-2' }), await dispatch(run, { cancelled: true }), '999999', 'x', ''];
    for (const id of ids) await expect(open(id)).rejects.toMatchObject({ code: 'not_found' });
    const wrong = { worker: 'w-1', dispatch: await dispatch(run), recipient: 'no key' };
    await expect(worker.call(openVariables, wrong)).rejects.toMatchObject({ code: 'validation_error' });
    expect(revealed).toEqual([]);
  });

  it('gets those of the plan that its dispatch executes, although a user has given the run another one', async () => {
    const run = await begin('${{vars.NEW}}');
    const former = compilePlan(usingVariables('${{vars.FORMER}}${{vars.RUN_ID}}'), {});
    const { sha256 } = await new PlanStore(new DiskStore(folder)).save(former);
    expect(await open(await dispatch(run, { plan: sha256 }))).toMatchObject({ plain: { RUN_ID: String(run.id) } });
    // The values are stored with the first request, so a later dispatch needs its own among them.
    expect(revealed).toMatchObject([{ names: ['NEW', 'FORMER'] }]);
  });

  it('causes no call for secrets if the plan names none', async () => {
    const run = await begin('${{vars.RUN_ID}}');
    expect(await open(await dispatch(run))).toEqual({ sealed: '', missing: [], plain: { RUN_ID: String(run.id) } });
    expect(revealed).toEqual([]);
  });
});

describe('an output with secrets', () => {
  it('is shown with its masked content', async () => {
    const run = await begin('x');
    const { id: subjobId } = await database.client.subjob.findFirstOrThrow({ where: { runId: run.id } });
    const [real, shown] = ['a'.repeat(64), 'b'.repeat(64)];
    const place = { runId: run.id, subjobId, step: 0, task: 0, node: 'a', label: 'a', path: 'p.txt' };
    const { id } = await database.client.output.create({
      data: { id: newId(), ...place, size: 900n, sha256: real, shownSize: 30n, shownSha256: shown },
    });
    const caller = ownerCaller({ vault: run.vaultId });
    const { results } = await system.callAs(caller, listRunOutputs, { params: { id: String(run.id) } });
    expect(results).toEqual([expect.objectContaining({ size: 30, pretty_size: '30 B', sha256: shown })]);
    expect(await system.callAs(caller, downloadOutput, { params: { id } })).toEqual({
      ...{ name: 'p.txt', sha256: shown, size: 30 },
    });
  });
});
