import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type FileRef } from '@millrace/contracts/runs/files';
import { encodeFileLines, readFileSet } from '../inputs/file-sets.js';
import { script, startWorker, type TestWorker } from '../testing/start-worker.js';

/** Too many for the event loop: the bulk thread does the work. */
const MANY = 2_500;

let worker: TestWorker;
afterEach(() => worker.end());

const gathered = (index: number, source: string) => {
  const binding = { from: 'step' as const, step: 7, port: 'folder' as const, gather: true };
  const inputs = [{ param: 'x', source: 's7', type: 'FOLDER' as const, order: 0, command: null, binding }];
  return script(index, source, { inputs });
};

/** Stores the outputs of many children: one file each, with one of three contents. */
async function gather(): Promise<{ manifest: string; count: number }> {
  const contents = await Promise.all([0, 1, 2].map((at) => worker.file('output.txt', `content ${at}\n`)));
  const files: FileRef[] = Array.from({ length: MANY }, (_, at) => ({
    ...contents[at % 3]!,
    path: `${at + 1}/output.txt`,
  }));
  const { sha256 } = await worker.store.put(Buffer.concat(await encodeFileLines(files)));
  return { manifest: sha256, count: MANY };
}

const listInputs = () => {
  const folder = ['in', 'work/in']
    .map((name) => join(worker.core.folder, 'slot-1', name))
    .find((path) => existsSync(path));
  return readdirSync(folder ?? '');
};

describe.each(['required', 'off'])('a step with thousands of files, isolation %s', (isolation) => {
  const start = async () => (worker = await startWorker({ WORKER_ISOLATION: isolation, WORKER_SLOTS: '1' }));

  it('finds each input file at its path, and its output files are stored in order', async () => {
    await start();
    const copies =
      'for i in in/s7/*; do cp $i/output.txt out/${i##*/}.txt; done; ls in/s7 | wc -l; cat in/s7/*/output.txt | sort | uniq -c';
    await worker.core.execute(await worker.dispatch([gathered(0, copies)], { shared: { 7: await gather() } }));
    await worker.reported();
    const [finished] = worker.finished();
    expect(finished).toMatchObject({ outcome: 'succeeded', message: null });
    const files = await readFileSet(finished!.outputs, worker.store);
    const paths = Array.from({ length: MANY }, (_, at) => `${at + 1}.txt`);
    expect(files.map(({ path }) => path)).toEqual([...paths, 'output.txt'].sort());
    expect(await worker.text({ files })).toMatch(/^2500\n +834 content 0\n +833 content 1\n +833 content 2\n$/);
    expect(listInputs()).toEqual([]);
  });

  it('leaves no files if it is stopped while its inputs are laid out', async () => {
    await start();
    const dispatch = await worker.dispatch([gathered(0, 'touch out/ran')], { shared: { 7: await gather() } });
    const running = worker.core.execute(dispatch);
    while (listInputs().length === 0) await sleep(1);
    worker.core.cancel({ dispatches: [dispatch.dispatch] });
    await running;
    await worker.reported();
    expect(worker.finished()).toMatchObject([{ outcome: 'stopped' }]);
    expect(listInputs()).toEqual([]);
  });
});
