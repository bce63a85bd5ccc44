import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Output, Subjob } from '@millrace/contracts/records';
import { library, outputs, subjobs } from '@millrace/contracts/resources';
import type { Example } from '@millrace/library/module-file';
import { readBuiltIns } from '@millrace/library/read-built-ins';
import { caseWorkflow, type Case, type LibraryNode } from './support/example-workflow.js';
import { packTar, packZip, type Entry } from './support/pack-archives.js';
import { script, startRun, waitForEnd, type Draft } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';
import { startStandIns, type StandIns } from './support/stand-in-servers.js';

/** The definitions in the library's files. The tests get the nodes from the system, as users do. */
const builtIns = await readBuiltIns();
let account: Account;
let standIns: StandIns;
let nodes: Map<string, LibraryNode>;
beforeAll(async () => {
  [account, standIns] = await Promise.all([signUp(), startStandIns()]);
  nodes = await fetchNodes();
});
afterAll(() => standIns.stop());

/** The node of each built-in module, by the module's name. */
async function fetchNodes(): Promise<Map<string, LibraryNode>> {
  const found = new Map<string, LibraryNode>();
  for await (const { id, name } of account.client.list(library.listModules, { query: { built_in: 'true' } })) {
    const { node } = await account.client.call(library.getModule, { params: { id } });
    found.set(name, node as LibraryNode);
  }
  return found;
}

function nodeOf(name: string): LibraryNode {
  const node = nodes.get(name);
  if (!node) throw new Error(`The library has no ${name}`);
  return node;
}

interface NodeResult {
  status: string;
  message: string | undefined;
  files: Map<string, Buffer>;
}

/** Runs all nodes of a workflow concurrently. @returns the result of each */
async function runAll(draft: Draft): Promise<Map<string, NodeResult>> {
  const { id } = await startRun(account, draft);
  await waitForEnd(account.client, id);
  const done = new Map<string, NodeResult>();
  const params = { id };
  for await (const { node, status, message } of account.client.list(subjobs.listSubjobs, {
    params,
  }) as AsyncIterable<Subjob>)
    done.set(node, { status, message, files: new Map() });
  const list: Output[] = [];
  for await (const output of account.client.list(outputs.listRunOutputs, { params })) list.push(output);
  const small = list.filter(({ size }) => size < 1_000_000);
  while (small.length > 0) await Promise.all(small.splice(0, 8).map((output) => downloadOutput(output, done)));
  return done;
}

async function downloadOutput(output: Output, done: Map<string, NodeResult>): Promise<void> {
  const { body } = await account.client.download(outputs.downloadOutput, { params: { id: output.id } });
  done.get(output.node)?.files.set(output.path, await buffer(body));
}

const runCases = async (cases: readonly Case[]) => runAll(await caseWorkflow(account, cases));

/** Changes every text in a value. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts<unknown>(one, change)])) as T;
}

const asTexts = (files: Map<string, Buffer> = new Map<string, Buffer>()) =>
  Object.fromEntries([...files].map(([path, content]) => [path, content.toString()]));

describe('every example of every built-in module succeeds:', () => {
  const examples = builtIns.flatMap(({ file }) =>
    (file.examples ?? []).map((example, index) => ({ module: file.name, name: `${file.name}-${index + 1}`, example })),
  );
  /** The examples of modules with network access contain addresses, which this test replaces by the addresses of its own servers. */
  const withTestAddresses = (module: string, example: Example): Example =>
    nodeOf(module).network === true ? mapTexts(example, (text) => standIns.replaceAddresses(text)) : example;
  let done: Map<string, NodeResult>;
  beforeAll(async () => {
    done = await runCases(
      examples.map(({ module, name, example }) => ({
        name,
        node: nodeOf(module),
        example: withTestAddresses(module, example),
      })),
    );
  });

  it.each(examples)('$module: $example.name', ({ module, name, example }) => {
    const result = done.get(name);
    expect({ status: result?.status, message: result?.message }).toEqual({ status: 'SUCCEEDED', message: undefined });
    const { output, outputs: files, matches } = withTestAddresses(module, example);
    const main = result?.files.get('output.txt');
    if (files) expect(asTexts(result?.files)).toEqual(files);
    else if (matches === undefined) expect(main?.toString()).toBe(output);
    // Archives are not text, so each byte becomes a character.
    else expect(main?.toString('latin1')).toMatch(new RegExp(matches));
  });
});

it('the system has exactly the modules whose files exist', () => {
  expect([...nodes.keys()].sort()).toEqual(builtIns.map(({ file }) => file.name).sort());
});

describe('any built-in module', () => {
  /** The inputs of a module's first example, with one of them changed. */
  const firstExampleOf = (module: (typeof builtIns)[number]): Example => module.file.examples?.[0] ?? { name: '' };

  it.each([
    ['empty files', ''],
    [
      'files that are not text',
      `base64:${Buffer.from([0xff, 0xfe, 0, 0x80, 0x0a, 0xc3, 0x28, 0x0a, 0x22]).toString('base64')}`,
    ],
  ])('with %s succeeds, or reports the problem on a line of its own', async (_, content) => {
    const cases = builtIns
      .filter(
        ({ file }) => file.network !== true && Object.values(file.inputs ?? {}).some(({ type }) => type === 'file'),
      )
      .map((module) => ({
        name: module.file.name,
        node: nodeOf(module.file.name),
        example: {
          inputs: firstExampleOf(module).inputs,
          files: mapTexts(firstExampleOf(module).files ?? {}, () => content),
        },
      }));
    const done = await runCases(cases);
    const unexplained = cases.filter(({ name }) => {
      const { status, message = '' } = done.get(name) ?? { status: 'missing' };
      return status !== 'SUCCEEDED' && !/^exit code \d+: (?!\w*(Error|Exception)\b).{8}/.test(message);
    });
    expect(unexplained.map(({ name }) => [name, done.get(name)?.message])).toEqual([]);
  });

  it('treats its inputs as data, and executes none of them', async () => {
    const shell = `$(touch out/executed)\`touch out/executed\`'; touch out/executed; '"; touch out/executed; "`;
    const attacks = [shell, '--output=out/executed'];
    const cases = builtIns.flatMap((module) =>
      Object.entries(module.file.inputs ?? {})
        // These inputs are programs of awk, sed, jq and SQL, which the module must execute.
        .filter(([input, { type }]) => type === 'string' && !['program', 'expression', 'query'].includes(input))
        .flatMap(([input]) =>
          attacks.map((attack, index) => ({
            name: `${module.file.name}-${input}-${index}`,
            node: nodeOf(module.file.name),
            example: {
              inputs: { ...firstExampleOf(module).inputs, [input]: attack },
              files: firstExampleOf(module).files,
            },
          })),
        ),
    );
    const done = await runCases(cases.filter(({ node }) => node.network !== true));
    const executed = [...done].filter(([, { files }]) => files.has('executed'));
    expect(executed.map(([name]) => name)).toEqual([]);
    expect(done.size).toBeGreaterThan(100);
  });
});

describe('malicious archives', () => {
  const good = { name: 'good/a.txt', content: Buffer.from('good\n') };
  const content = Buffer.from('harm\n');
  const hostile: Entry[] = [
    good,
    { name: '../up.txt', content },
    { name: 'good/../../up.txt', content },
    { name: '/tmp/absolute.txt', content },
    { name: 'absolute-link', symlink: '/etc/passwd' },
    { name: 'folder-link', symlink: '../..' },
    { name: 'folder-link/through.txt', content },
    { name: 'up-link', symlink: '../../../../etc/hosts' },
  ];
  const hardLinks: Entry[] = [
    { name: 'hard-out', hardlink: '/etc/passwd' },
    { name: 'hard-up', hardlink: '../script.py' },
    { name: 'hard-good', hardlink: 'good/a.txt' },
  ];
  const archive = (module: string, file: Buffer, inputs: Example['inputs'] = {}): Case => ({
    name: `${module}-1`,
    node: { ...nodeOf(module), timeout_seconds: 30 },
    example: { inputs, files: { file: { archive: `base64:${file.toString('base64')}` } } },
  });

  it('are unpacked without links and without entries outside of the folder', async () => {
    const done = await runCases([
      archive('extract-tar', gzipSync(packTar([...hostile, ...hardLinks]))),
      archive('extract-zip', packZip([...hostile, { name: '..\\windows.txt', content }])),
    ]);
    // An entry below a link becomes a file in a folder with the link's name.
    const inside = { 'good/a.txt': 'good\n', 'folder-link/through.txt': 'harm\n' };
    expect(done.get('extract-tar-1')).toMatchObject({ status: 'SUCCEEDED', message: undefined });
    expect(asTexts(done.get('extract-tar-1')?.files)).toEqual({ ...inside, 'hard-good': 'good\n' });
    expect(done.get('extract-zip-1')).toMatchObject({ status: 'SUCCEEDED', message: undefined });
    expect(asTexts(done.get('extract-zip-1')?.files)).toEqual(inside);
  });

  it('that are archive bombs fail with the reason', async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const small = { max_size: '1' };
    const wrongSize = { name: 'a', content: zeros.subarray(0, 4_000_000), declaredSize: 10 };
    const done = await runCases([
      archive('gunzip', gzipSync(zeros), small),
      archive('extract-tar', gzipSync(packTar([{ name: 'a', content: zeros }])), small),
      { ...archive('extract-zip', packZip([{ name: 'a', declaredSize: 2 ** 31 }]), small) },
      { ...archive('extract-zip', packZip([wrongSize]), small), name: 'liar-1' },
    ]);
    const messages = Object.fromEntries([...done].map(([name, { status, message }]) => [name, `${status} ${message}`]));
    const tooLarge = (unit: string) => `FAILED exit code 1: the ${unit} unpacks to more than 1 MiB`;
    expect(messages).toEqual({
      'gunzip-1': tooLarge('file'),
      'extract-tar-1': tooLarge('archive'),
      'extract-zip-1': tooLarge('archive'),
      'liar-1': expect.stringContaining('FAILED exit code 1: the archive cannot be unpacked'),
    });
  });
});

it('an endless response without a length is read up to the limit', async () => {
  const url = standIns.replaceAddresses('http://files.example.test/endless');
  const request = (module: string, example: Case['example']): Case => ({
    name: `${module}-1`,
    node: { ...nodeOf(module), timeout_seconds: 40 },
    example,
  });
  const files = { file: { 'urls.txt': `${url}\n` } };
  const done = await runCases([
    request('download-url', { inputs: { url, max_size: '100000' } }),
    request('download-list', { inputs: { max_size: '100000' }, files }),
    request('http-request', { inputs: { url } }),
    request('http-probe', { files }),
  ]);
  const outcome = (name: string) => [done.get(name)?.status, done.get(name)?.message];
  const tooLarge = (bytes: number) => ['FAILED', `exit code 1: the response is larger than ${bytes} bytes`];
  expect(outcome('download-url-1')).toEqual(tooLarge(100_000));
  expect(outcome('download-list-1')).toEqual(['FAILED', 'exit code 1: 1 of 1 URLs could not be downloaded']);
  expect(outcome('http-request-1')).toEqual(tooLarge(2 ** 28));
  const probed = JSON.parse(String(done.get('http-probe-1')?.files.get('output.txt'))) as Record<string, unknown>;
  expect(probed).toMatchObject({ status: 200, title: 'Much' });
  expect(probed.size).toBeLessThan(11_000_000);
});

it('the links of a malicious page are extracted within seconds', async () => {
  const starts = ['<a href="x', "<a href='x", '<a ', '<!--', '<script>', '<a href=x ', '<a x= '];
  const done = await runCases(
    starts.map((start, index) => ({
      name: `page-${index}`,
      node: { ...nodeOf('extract-links'), timeout_seconds: 20 },
      example: { files: { file: { page: start.repeat(50_000) } } },
    })),
  );
  expect([...done.values()].map(({ status }) => status)).toEqual(starts.map(() => 'SUCCEEDED'));
});

it('an archive of one module can be unpacked by another', async () => {
  const folder = { 'a.txt': 'one\n', 'b/ä ö.txt': 'two\n', 'empty.txt': '' };
  const pairs = [
    ['create-tar', 'extract-tar'],
    ['create-zip', 'extract-zip'],
  ] as const;
  const draft = await caseWorkflow(
    account,
    pairs.map(([pack]) => ({ name: `${pack}-1`, node: nodeOf(pack), example: { files: { folder } } })),
  );
  for (const [pack, unpack] of pairs) {
    draft.nodes[`${unpack}-1`] = { ...nodeOf(unpack), name: `${unpack}-1` };
    draft.edges.push([`${pack}-1/file`, `${unpack}-1/file`]);
  }
  const done = await runAll(draft);
  for (const [, unpack] of pairs) expect(asTexts(done.get(`${unpack}-1`)?.files)).toEqual(folder);
});

it('fail-if-empty skips the nodes after it and reports the reason', async () => {
  const gate = {
    name: 'gate-1',
    node: nodeOf('fail-if-empty'),
    example: { inputs: { message: 'no hosts' }, files: { file: { 'a.txt': ' \n' } } },
  };
  const draft = await caseWorkflow(account, [gate]);
  draft.nodes['sort-lines-1'] = nodeOf('sort-lines');
  draft.edges.push(['gate-1/file', 'sort-lines-1/file']);
  const done = await runAll(draft);
  expect(done.get('gate-1')).toMatchObject({ status: 'FAILED', message: 'exit code 1: no hosts' });
  expect(done.get('sort-lines-1')?.status).toBe('SKIPPED');
});

it('a step whose program is missing on the worker fails with the name of the program', async () => {
  const done = await runAll({
    nodes: {
      'tool-1': { type: 'TOOL', container: { command: ['no-such-program'] } },
      'script-1': script('no-such-program < /dev/null'),
    },
  });
  for (const node of ['tool-1', 'script-1']) {
    expect(done.get(node)?.message).toBe('exit code 127: no-such-program is not installed on this worker');
  }
});
