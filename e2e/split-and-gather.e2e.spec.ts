import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Run } from '@millrace/contracts/records';
import { subjobs } from '@millrace/contracts/resources';
import {
  findNode,
  listChildren,
  listOutputs,
  readFilePort,
  readOutput,
  runToEnd,
  script,
  type Draft,
} from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const LINES = Array.from({ length: 25 }, (_, index) => `line ${index + 1}`);
const source = script('for i in $(seq 25); do echo "line $i"; done; echo; echo');

async function complete(draft: Draft): Promise<Run> {
  const run = await runToEnd(account, draft);
  expect({ status: run.status, error: run.error, partial: run.partial }).toMatchObject({ status: 'COMPLETED' });
  return run;
}

async function childOutputs(run: string, node: string): Promise<string[]> {
  const list = (await listOutputs(account.client, run, node)).sort((a, b) => (a.task_index ?? 0) - (b.task_index ?? 0));
  expect(list.map((output) => output.task_index)).toEqual(list.map((_, index) => index + 1));
  return Promise.all(list.map((output) => readOutput(account.client, output)));
}

async function splits(run: string, node: string): Promise<number> {
  const { id } = await findNode(account.client, run, node);
  return (await account.client.call(subjobs.getDistribution, { params: { id: run, subjobId: id } })).splits;
}

describe('a split of an input', () => {
  it('by line creates a child for each line that is not empty', async () => {
    const run = await complete({
      nodes: {
        'source-1': source,
        'each-1': script('printf "<%s>" "$1"', {
          inputs: { item: { type: 'STRING', order: 1 } },
          distribution: { input: 'item', mode: 'line' },
        }),
      },
      edges: [['source-1/file', 'each-1/item']],
    });
    expect(await childOutputs(run.id, 'each-1')).toEqual(LINES.map((line) => `<${line}>`));
    expect(await splits(run.id, 'each-1')).toBe(25);
    expect(await splits(run.id, 'source-1')).toBe(1);
  });

  it('by batch creates groups of lines whose sizes differ by at most one, and loses no byte', async () => {
    const run = await complete({
      nodes: {
        'source-1': source,
        'batch-1': script('cat in/source-1/*', { distribution: { input: 'file', mode: 'batch', splits: 4 } }),
      },
      edges: [['source-1/file', 'batch-1/file']],
    });
    const parts = await childOutputs(run.id, 'batch-1');
    expect(parts.join('')).toBe(`${LINES.join('\n')}\n\n\n`);
    expect(parts.map((part) => part.split('\n').length - 1)).toEqual([7, 7, 7, 6]);
  });

  it('by file creates a child for each file of a folder', async () => {
    const run = await complete({
      nodes: {
        'source-1': script(
          'mkdir -p out/a/b; for i in 1 2 3; do echo "$i" > "out/a/b/f $i.txt"; done; echo top > out/output.txt',
        ),
        'file-1': script('find in/source-1 -type f -exec cat {} +', { distribution: { input: 'file', mode: 'file' } }),
      },
      edges: [['source-1/folder', 'file-1/file']],
    });
    expect((await childOutputs(run.id, 'file-1')).sort()).toEqual(['1\n', '2\n', '3\n', 'top\n']);
  });

  it('by a splitter passes one item to each child', async () => {
    const run = await complete({
      nodes: {
        'source-1': source,
        'splitter-1': { type: 'SPLITTER' },
        'each-1': {
          type: 'TOOL',
          container: { command: ['printf', '[%s]'] },
          output_command: '>',
          inputs: { item: { type: 'STRING', order: 1 } },
        },
      },
      edges: [
        ['source-1/file', 'splitter-1/multiple'],
        ['splitter-1/output', 'each-1/item'],
      ],
    });
    expect(await childOutputs(run.id, 'each-1')).toEqual(LINES.map((line) => `[${line}]`));
  });

  it('continues over a file connection, child by child', async () => {
    const run = await complete({
      nodes: {
        'source-1': source,
        'first-1': script('cat in/source-1/*', { distribution: { input: 'file', mode: 'batch', splits: 5 } }),
        'second-1': script('tac in/first-1/*'),
      },
      edges: [
        ['source-1/file', 'first-1/file'],
        ['first-1/file', 'second-1/file'],
      ],
    });
    const first = await childOutputs(run.id, 'first-1');
    const reversed = first.map((part) => `${part.split('\n').slice(0, -1).reverse().join('\n')}\n`);
    expect(await childOutputs(run.id, 'second-1')).toEqual(reversed);
    expect(await splits(run.id, 'second-1')).toBe(5);
  });

  it('of an empty input succeeds without children', async () => {
    const run = await complete({
      nodes: {
        'source-1': script('printf "\\n\\n"'),
        'each-1': script('echo "$1"', {
          inputs: { item: { type: 'STRING', order: 1 } },
          distribution: { input: 'item', mode: 'line' },
        }),
        'gather-1': script('ls in | wc -l'),
      },
      edges: [
        ['source-1/file', 'each-1/item'],
        ['each-1/folder', 'gather-1/folder'],
      ],
    });
    const group = await findNode(account.client, run.id, 'each-1');
    expect(group.status).toBe('SUCCEEDED');
    expect(await listChildren(account.client, run.id, group.id)).toEqual([]);
    expect((await findNode(account.client, run.id, 'gather-1')).status).toBe('SUCCEEDED');
  });
});

describe('a gather of outputs', () => {
  it('collects the outputs of all children in one folder each, in the order of their numbers', async () => {
    const run = await complete({
      nodes: {
        'source-1': source,
        'each-1': script('echo "$1" > "out/of $1.txt"; echo "$1"', {
          inputs: { item: { type: 'STRING', order: 1 } },
          distribution: { input: 'item', mode: 'line' },
        }),
        'gather-1': script('for i in $(ls in/each-1 | sort -n); do cat "in/each-1/$i/of line $i.txt"; done'),
      },
      edges: [
        ['source-1/file', 'each-1/item'],
        ['each-1/folder', 'gather-1/folder'],
      ],
    });
    expect(await readFilePort(account.client, run.id, 'gather-1')).toBe(`${LINES.join('\n')}\n`);
  });
});

it('a failed child fails the run, while the other children and independent nodes continue', async () => {
  const run = await runToEnd(account, {
    nodes: {
      'source-1': source,
      'each-1': script('if [ "$1" = "line 7" ]; then echo broken >&2; exit 3; fi; echo "$1"', {
        inputs: { item: { type: 'STRING', order: 1 } },
        distribution: { input: 'item', mode: 'line' },
      }),
      'gather-1': script('ls in/each-1'),
      'aside-1': script('echo fine'),
    },
    edges: [
      ['source-1/file', 'each-1/item'],
      ['each-1/folder', 'gather-1/folder'],
    ],
  });
  expect(run).toMatchObject({ status: 'FAILED', partial: true });
  const group = await findNode(account.client, run.id, 'each-1');
  const children = await listChildren(account.client, run.id, group.id);
  const byStatus = Map.groupBy(children, ({ status }) => status);
  expect(byStatus.get('SUCCEEDED')).toHaveLength(24);
  expect(byStatus.get('FAILED')).toMatchObject([{ task_index: 7, exit_code: 3 }]);
  expect((await findNode(account.client, run.id, 'gather-1')).status).toBe('SKIPPED');
  expect(await readFilePort(account.client, run.id, 'aside-1')).toBe('fine\n');
});
