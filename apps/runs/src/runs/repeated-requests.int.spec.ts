import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pauseRun } from '@millrace/contracts/runs/control';
import { retryRun } from '@millrace/contracts/runs/runs';
import { retrySubjob, skipSubjob } from '@millrace/contracts/runs/subjobs';
import { getWorkflowLocation } from '@millrace/contracts/workflows/exchange';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertSplitRun } from '../testing/insert-split-run.js';

const owner = ownerCaller();
let system: SystemWithStore;
let database: Database;
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
  const place = { space: newId(), spaceName: 's', project: null, projectName: null };
  (await system.fake('workflows')).on(getWorkflowLocation, () => ({ place }));
});
afterAll(async () => {
  await database.close();
  await system.close();
});

interface Request {
  id: string;
  subjobId: string;
  idempotencyKey: string;
}

/** A run with a failed child. */
async function insertFailed(): Promise<Request> {
  const { id, run } = await insertSplitRun(database, { caller: owner, folder: system.folder, children: 2 });
  const child = await database.client.subjob.findFirstOrThrow({ where: { runId: run.id, node: 'each-1', task: 1 } });
  await database.client.subjob.update({ where: { id: child.id }, data: { status: 'FAILED' } });
  return { id, subjobId: String(child.id), idempotencyKey: `request-${id}` };
}

const REQUESTS: [string, (request: Request) => Promise<unknown>][] = [
  [
    'retry of a node',
    ({ id, ...key }) => system.callAs(owner, retryRun, { params: { id }, body: { nodes: ['lines-1'] } }, key),
  ],
  [
    'retry of a subjob',
    ({ id, subjobId, ...key }) => system.callAs(owner, retrySubjob, { params: { id, subjobId } }, key),
  ],
  [
    'skip of a subjob',
    ({ id, subjobId, ...key }) => system.callAs(owner, skipSubjob, { params: { id, subjobId }, body: {} }, key),
  ],
  ['pause of a run', ({ id, ...key }) => system.callAs(owner, pauseRun, { params: { id } }, key)],
];

/** A service may be killed after the commit of the effect. If the response is not part of it, a repetition has the effect again. */
describe('the response to a repeatable request is committed with its effect:', () => {
  it.each(REQUESTS)('%s', async (name, send) => {
    const request = await insertFailed();
    const id = BigInt(request.id);
    if (name.startsWith('pause')) {
      await database.client.run.update({ where: { id }, data: { status: 'RUNNING', finishedAt: null } });
    }
    const first = await send(request);
    const committed = await database.client.$queryRaw<{ together: boolean }[]>`
      SELECT i.xmin = r.xmin AS together FROM messaging.idempotent_request i, runs.run r
      WHERE i.key = ${request.idempotencyKey} AND r.id = ${id}`;
    expect(committed).toEqual([{ together: true }]);
    expect(await send(request)).toEqual(first);
    const { repairs } = await database.client.run.findUniqueOrThrow({ where: { id } });
    expect(repairs).toBe(name.startsWith('pause') ? 0 : 1);
  });
});
