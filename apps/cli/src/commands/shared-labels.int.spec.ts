import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { json, serve } from '@millrace/testkit/serve';
import { spawnCli } from '../testing/spawn-cli.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-labels-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const output = (node: string, content: string) => ({
  ...{
    id: `of-${node}`,
    run: '7',
    subjob: '1',
    node,
    label: 'total',
    name: 'output.txt',
    path: 'output.txt',
    format: 'txt',
  },
  ...{ size: content.length, pretty_size: `${content.length} B`, sha256: hash('sha256', content) },
});

it('the output command downloads outputs of two nodes with the same label to two files', async () => {
  const contents = { 'sum-1': 'first', 'sum-2': 'second' };
  const results = Object.entries(contents).map(([node, content]) => output(node, content));
  const server = await serve(({ url }, response) => {
    const content = Object.entries(contents).find(([node]) => url.includes(`/outputs/of-${node}/download`))?.[1];
    if (content === undefined) json(response, 200, { results, count: results.length });
    else response.end(content);
  });
  const env = { MILLRACE_URL: server.url, MILLRACE_TOKEN: 'token', XDG_CONFIG_HOME: folder };
  const { code, stdout } = await spawnCli(['output', '7', '--dir', join(folder, 'out')], { env });
  await server.close();
  expect(code).toBe(0);
  const files = ['sum-1', 'sum-2'].map((node) => join(folder, 'out', node, 'output.txt'));
  expect(stdout).toBe(files.map((file) => `${file}\n`).join(''));
  expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toEqual(['first', 'second']);
});
