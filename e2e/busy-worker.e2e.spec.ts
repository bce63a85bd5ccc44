import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { subjobs } from '@millrace/contracts/resources';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { findNode, readFilePort, script, startRun, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';
import { throttleProcess } from './support/throttle-process.js';

/** With a fifth of a processor, a worker needs longer than its lease to store and to prepare this many files. */
const FILES = 25_000;

let system: OwnSystem;
let account: Account;
beforeAll(async () => {
  system = await startOwnSystem({}, { separate: ['worker'] });
  account = await signUp(system.url);
});
afterAll(() => system.stop());

it('a worker with a fifth of a processor stores and prepares very many files without being considered lost', async () => {
  const { client } = account;
  const throttle = throttleProcess(system.pidOf('worker'), 0.2);
  try {
    const { id } = await startRun(account, {
      nodes: {
        'many-1': script(`cd out; seq ${FILES} | xargs mkdir; for i in $(seq ${FILES}); do echo $i > $i/f; done`),
        'beside-1': script('echo beside'),
        // The node is in a separate segment, because it has inputs from two other nodes.
        'count-1': script('ls in/many-1 | wc -l; cat in/beside-1/output.txt'),
      },
      edges: [
        ['many-1/folder', 'count-1/folder'],
        ['beside-1/file', 'count-1/file'],
      ],
    });
    const run = await waitForEnd(client, id, 240_000);
    expect({ method: throttle.method, status: run.status, error: run.error }).toMatchObject({ status: 'COMPLETED' });
    expect(await readFilePort(client, id, 'count-1')).toBe(`${FILES}\nbeside\n`);
    for (const name of ['many-1', 'count-1']) {
      const { id: subjobId } = await findNode(client, id, name);
      const { attempts } = await client.call(subjobs.getSubjob, { params: { id, subjobId } });
      expect(attempts.map(({ status }) => status)).toEqual(['SUCCEEDED']);
    }
  } finally {
    throttle.end();
  }
});
