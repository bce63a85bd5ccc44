import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Run } from '@millrace/contracts/records';
import { runs, workers } from '@millrace/contracts/resources';
import { startOwnSystem, type OwnSystem } from '../support/own-system.js';
import {
  findNode,
  listOutputs,
  readFilePort,
  readOutput,
  runToEnd,
  script,
  startRun,
  waitForEnd,
  waitForStart,
  type Draft,
} from '../support/run-workflow.js';
import { signUp, type Account } from '../support/sign-up.js';
import { importBusybox } from './import-busybox.js';

let [image, tools] = ['', ''];
let system: OwnSystem;
let account: Account;
beforeAll(async () => {
  [image, tools] = [importBusybox(), importBusybox('tools')];
  const { DOCKER_HOST = '' } = process.env;
  const settings = { WORKER_EXECUTOR: 'docker', WORKER_IMAGE: image, WORKER_SLOTS: '4', DOCKER_HOST };
  system = await startOwnSystem(settings, { separate: [] });
  account = await signUp(system.url);
});
afterAll(() => system.stop());

async function complete(draft: Draft, inputs: Record<string, string> = {}): Promise<Run> {
  const run = await runToEnd(account, draft, inputs);
  expect({ status: run.status, error: run.error }).toEqual({ status: 'COMPLETED', error: undefined });
  return run;
}

const nameImage = 'cat /etc/image';

describe('a system whose worker runs steps in containers', () => {
  it('runs each node in the image that it names, or in that of the worker', async () => {
    const run = await complete({
      nodes: {
        'tool-1': {
          type: 'TOOL',
          container: { image: tools, command: ['cat', '/etc/image'] },
          output_command: '>',
          outputs: { file: {} },
        },
        'script-1': script(nameImage, { script: { source: nameImage, image: tools } }),
        'script-2': script(nameImage),
      },
    });
    const read = (node: string) => readFilePort(account.client, run.id, node);
    expect(await Promise.all(['tool-1', 'script-1', 'script-2'].map(read))).toEqual([tools, tools, image]);
  });

  it('runs a script once for each of 100 lines', async () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}\n`);
    await account.client.files.upload('lines.txt', new Blob(lines));
    const run = await complete(
      {
        nodes: {
          'each-1': script('printf "<%s>" "$1"', {
            inputs: { line: { type: 'STRING', order: 1 } },
            distribution: { input: 'line', mode: 'line' },
          }),
        },
        inputs: { 'http-input-1': { type: 'FILE', label: 'lines' } },
        edges: [['http-input-1/output', 'each-1/line']],
      },
      { lines: 'millrace://file/lines.txt' },
    );
    const outputs = await listOutputs(account.client, run.id, 'each-1');
    const texts = await Promise.all(outputs.map((output) => readOutput(account.client, output)));
    expect(texts.sort()).toEqual(lines.map((line) => `<${line.trim()}>`).sort());
  });

  it('passes the outputs of a container to the next', async () => {
    const run = await complete({
      nodes: { 'make-1': script('mkdir out/a; echo text > out/a/b'), 'read-1': script('cat in/make-1/a/b') },
      edges: [['make-1/folder', 'read-1/folder']],
    });
    expect(await readFilePort(account.client, run.id, 'read-1')).toBe('text\n');
  });

  it('fails a step whose image cannot be pulled, or lacks its program, with the reason', async () => {
    const missing = '127.0.0.1:9/no-such/image:1';
    const messageOf = async (node: Record<string, unknown>) => {
      const run = await runToEnd(account, { nodes: { 'a-1': { type: 'TOOL', ...node } } });
      return (await findNode(account.client, run.id, 'a-1')).message;
    };
    expect(await messageOf({ container: { image: missing, command: ['true'] } })).toContain(
      `image ${missing} cannot be pulled: `,
    );
    expect(await messageOf({ container: { command: ['no-such-program'] } })).toBe(
      `exit code 127: no-such-program is not in the image ${image}`,
    );
  });

  it('stops the container of a run that is stopped', async () => {
    const { id } = await startRun(account, { nodes: { 'sleep-1': script('sleep 600') } });
    await waitForStart(account.client, id, 'sleep-1');
    await account.client.call(runs.stopRun, { params: { id } });
    expect((await waitForEnd(account.client, id)).status).toBe('STOPPED');
  });

  it('reports its executor as a label of its fleet', async () => {
    const { results } = await account.client.call(workers.listFleets);
    expect(results).toMatchObject([{ name: 'default', labels: { executor: 'docker' } }]);
  });
});
