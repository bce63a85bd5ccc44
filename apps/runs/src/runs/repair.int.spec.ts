import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { retryRun } from '@millrace/contracts/runs/runs';
import { Database } from '@millrace/persistence/database';
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
});
afterAll(async () => {
  await database.close();
  await system.close();
});

/** A run that has ended. */
const insert = () => insertSplitRun(database, { caller: owner, folder: system.folder, children: 2 });

describe('a retry of children that the run does not have', () => {
  it.each([
    ['unknown', '999999999999999999', '"999999999999999999"'],
    ['beyond 64 bits', '9223372036854775808', '"9223372036854775808"'],
    ['written with zeros', '000', '"000"'],
    ['very long', '7'.repeat(1_000), `"${'7'.repeat(80)}…"`],
  ])('is refused with the id as the request has it: %s', async (_case, id, shown) => {
    const run = await insert();
    const known = String((await database.client.subjob.findFirstOrThrow({ where: { runId: run.run.id } })).id);
    const retry = system.callAs(owner, retryRun, { params: { id: run.id }, body: { children: [known, id] } });
    await expect(retry).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.children.1': `names no subjob of run ${run.id} (got ${shown})` },
    });
  });
});
