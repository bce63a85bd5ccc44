import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Version, Workflow } from '@millrace/client';
import { eventually } from '@millrace/testkit/eventually';
import { CliSession, workflowOf } from './support/cli-session.js';
import { REPOSITORY } from './support/repository.js';
import { signUp, systemUrl, type Account } from './support/sign-up.js';

let account: Account;
let cli: CliSession;
let folder: string;
beforeAll(async () => {
  account = await signUp();
  cli = new CliSession(account);
  ({ folder } = cli);
});
afterAll(() => cli?.remove());

const run = (args: string[], input?: string) => cli.run(args, input);
const succeed = (args: string[], input?: string) => cli.succeed(args, input);
const fail = (args: string[], input?: string) => cli.fail(args, input);
const json = <T>(...args: string[]): Promise<T> => cli.json<T>(...args);
const write = (name: string, text: string | Buffer) => cli.write(name, text);
const read = (name: string) => cli.read(name);

describe('a file of a workflow', () => {
  const versionOf = async (id: string) => {
    const { data: _, ...version } = await account.client.versions.get(id, 'latest');
    return version;
  };
  const make = async (name: string): Promise<string> => {
    write(`${name}.json`, workflowOf(name));
    return (await json<Version>('push', `${name}.json`)).workflow_info;
  };

  it('stays byte for byte the same after pull, push and pull, and keeps its comments', async () => {
    await make('Cycle');
    await succeed(['pull', 'Cycle', 'flows/cycle.yaml']);
    const pulled = read('flows/cycle.yaml');
    expect(await succeed(['push', 'flows/cycle.yaml'])).toContain('Nothing to save');
    expect(await succeed(['pull', 'Cycle', 'flows/cycle.yaml'])).toContain('is up to date');
    expect(read('flows/cycle.yaml')).toBe(pulled);
    const commented = pulled.replace('\ndata:', '\n# what it does\ndata:').replace('echo 1', 'echo 3 # three');
    write('flows/cycle.yaml', commented);
    expect(await succeed(['push', 'flows/cycle.yaml'])).toContain('as version 2');
    const pushed = read('flows/cycle.yaml');
    expect(pushed).toContain('version_number: 2');
    const withoutVersion = (text: string) => text.replaceAll(/^ {2}version.*\n/gm, '');
    expect(withoutVersion(pushed)).toBe(withoutVersion(commented));
    await succeed(['pull', 'Cycle', 'flows/cycle.yaml']);
    expect(read('flows/cycle.yaml')).toBe(pushed);
    // A newer version changes what differs, and the comment stays.
    const { id } = await account.client.workflows
      .list({ search: 'Cycle' })
      .then(({ results: [one] }) => one as Workflow);
    const data = { nodes: { 'only-1': { type: 'SCRIPT', script: { source: 'echo 4' } } } };
    await account.client.versions.save(id, { data });
    expect(await succeed(['pull', 'Cycle', 'flows/cycle.yaml'])).toContain('Wrote flows/cycle.yaml: version 3');
    expect(read('flows/cycle.yaml')).toContain('# what it does');
    expect(read('flows/cycle.yaml')).toContain('echo 4');
  });

  it('is pulled in the short form, and stays the same after its push and another pull', async () => {
    write(
      'short.yaml',
      `name: Short
workflow:
  nodes:
    sort-1: { uses: sort-lines, inputs: { unique: true }, meta: { label: sorted } }
  primitiveNodes:
    http-input-1: { type: FILE, label: text }
  connections:
    - { from: http-input-1/output, to: sort-1/file }
`,
    );
    await succeed(['push', 'short.yaml']);
    await succeed(['pull', 'Short', 'pulled.yaml']);
    const pulled = read('pulled.yaml');
    expect(pulled).toMatch(
      /sort-1:\n {6}uses: sort-lines\n {6}module_version: \d+\n {6}meta:\n {8}label: sorted\n {6}inputs:\n {8}unique: true\n/,
    );
    expect(pulled).toContain('- { from: http-input-1/output, to: sort-1/file }\n');
    expect(await succeed(['push', 'pulled.yaml'])).toContain('Nothing to save');
    expect(await succeed(['pull', 'Short', 'pulled.yaml'])).toContain('is up to date');
    expect(read('pulled.yaml')).toBe(pulled);
    write('pulled.yaml', pulled.replace('unique: true', 'reverse: true # largest first'));
    expect(await succeed(['push', 'pulled.yaml'])).toContain('as version 2');
    expect(await succeed(['pull', 'Short', 'pulled.yaml'])).toContain('is up to date');
    expect(read('pulled.yaml')).toContain('reverse: true # largest first');
  });

  it.each(['push', 'run'])('that %s refuses leaves no new workflow behind', async (command) => {
    const file = `refused-${command}`;
    const connections = [{ from: 'only-1/file', to: 'only-1/nothing' }];
    const nodes = { 'only-1': { type: 'SCRIPT', script: { source: 'echo 1' } } };
    write(`${file}.json`, JSON.stringify({ name: file, workflow: { nodes, connections } }));
    expect(await fail([command, `${file}.json`])).toContain('nothing');
    expect((await account.client.workflows.list({ search: file })).count).toBe(0);
  });

  it('that was written by hand keeps its form and its comments when a newer version is pulled', async () => {
    const written = `# mine
name: Written
workflow:
  nodes:
    sort-1: { uses: sort-lines } # sorts
    only-1: { type: SCRIPT, script: { source: echo 1 } } # prints
  connections:
    - { from: sort-1/file, to: only-1/file } # flow
  primitiveNodes:
    http-input-1: { type: FILE, label: text }
execute:
  inputs: { text: notes.txt } # mine, too
`.replace('    - { from: sort', '    - { from: http-input-1/output, to: sort-1/file }\n    - { from: sort');
    write('by-hand.yaml', written);
    await succeed(['push', 'by-hand.yaml']);
    await succeed(['pull', 'Written', 'copy.yaml']);
    write('copy.yaml', read('copy.yaml').replace('echo 1', 'echo 2'));
    await succeed(['push', 'copy.yaml']);
    await succeed(['pull', 'Written', 'by-hand.yaml']);
    const pulled = read('by-hand.yaml');
    expect(pulled).toContain('echo 2');
    for (const kept of [
      '# mine',
      '# sorts',
      '# prints',
      '# flow',
      '# mine, too',
      'uses: sort-lines }',
      'from: sort-1/file',
    ])
      expect(pulled).toContain(kept);
    expect(pulled.replace('echo 2', 'echo 1')).toBe(written);
    // A change of a node that uses a module arrives, too.
    await succeed(['pull', 'Written', 'copy.yaml']);
    write('copy.yaml', read('copy.yaml').replace('module_version: 1', 'module_version: 1\n      retries: 2'));
    await succeed(['push', 'copy.yaml']);
    await succeed(['pull', 'Written', 'by-hand.yaml']);
    expect(read('by-hand.yaml')).toMatch(/sort-1: \{ uses: sort-lines, .*retries: 2.* # sorts/);
    write('by-hand.yaml', read('by-hand.yaml').replace('echo 2', 'echo 3'));
    expect(await succeed(['push', 'by-hand.yaml'])).toContain('as version 4');
  });

  it('that does not come from the version on the server is compared with it', async () => {
    await make('Stranger');
    write('stranger.yaml', workflowOf('Stranger', 'echo other'));
    expect(await fail(['push', 'stranger.yaml'])).toContain(
      'In the file, compared with version 1:\n  ~ node only-1: script.source\n',
    );
  });

  it('does not rename its workflow, and says how to', async () => {
    const id = await make('Old name');
    await succeed(['pull', 'Old name', 'renamed.yaml']);
    write('renamed.yaml', read('renamed.yaml').replace('name: Old name', 'name: New name').replace('echo 1', 'echo 2'));
    const { stdout, stderr } = await run(['push', 'renamed.yaml']);
    expect(stdout).toContain('as version 2 of "Old name"');
    expect(stderr).toContain(`To rename the workflow: millrace workflow update ${id} --name 'New name'`);
  });

  it('does not overwrite a newer version, and shows both differences', async () => {
    const id = await make('Conflict');
    await succeed(['pull', 'Conflict', 'mine.yaml']);
    await succeed(['pull', 'Conflict', 'theirs.yaml']);
    write('theirs.yaml', read('theirs.yaml').replace('echo 1', 'echo theirs'));
    await succeed(['push', 'theirs.yaml']);
    const added = '    mine-1:\n      type: SCRIPT\n      script:\n        source: echo mine\n';
    write('mine.yaml', read('mine.yaml').replace('  nodes:\n', `  nodes:\n${added}`));
    const mine = read('mine.yaml');
    const reason = await fail(['push', 'mine.yaml']);
    expect(reason).toContain('The server has a newer version of "Conflict": 2, saved by you');
    expect(reason).toContain(
      'On the server since version 1:\n  ~ node only-1\n      script.source: "echo 1" → "echo theirs"',
    );
    expect(reason).toContain('In the file since version 1:\n  + node mine-1\n');
    expect(await fail(['pull', 'Conflict', 'mine.yaml'])).toContain(
      'changes that are not on the server:\n  + node mine-1',
    );
    expect(read('mine.yaml')).toBe(mine);
    expect((await versionOf(id)).number).toBe(2);
    expect(await succeed(['push', 'mine.yaml', '--force'])).toContain('as version 3');
    write('mine.yaml', read('mine.yaml').replace('echo mine', 'echo lost'));
    await succeed(['pull', 'Conflict', 'mine.yaml', '--force']);
    expect(read('mine.yaml')).toContain('echo mine');
  });

  it('written by hand is the same after it was pushed and pulled', async () => {
    const text =
      'name: By hand # a comment\nworkflow:\n  nodes:\n    a-1: { type: SCRIPT, script: { source: echo 1 } }\n';
    write('hand.yaml', text);
    await succeed(['push', 'hand.yaml']);
    expect(await succeed(['pull', 'By hand', 'hand.yaml'])).toContain('is up to date');
    expect(read('hand.yaml')).toBe(text);
    write('hand.yaml', text.replace('echo 1', 'echo 2'));
    expect(await fail(['pull', 'By hand', 'hand.yaml'])).toContain('has changes that are not on the server');
  });

  it('is not replaced by the file of another workflow', async () => {
    await make('One');
    write('other.yaml', 'name: Other\nworkflow:\n  nodes: {}\n');
    expect(await fail(['pull', 'One', 'other.yaml'])).toContain('was not pulled from this workflow');
  });

  it('is validated by line and column, also before it is saved', async () => {
    const before = (await json<Workflow[]>('workflow', 'list')).length;
    write(
      'bad.yaml',
      'name: Bad\nworkflow:\n  nodes:\n    a-1:\n      type: SCRIPT\n      script: {source: echo}\n  connections:\n    - {from: a-1/file, to: b-1/file}\n',
    );
    const { code, stdout } = await run(['validate', 'bad.yaml']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^bad\.yaml:8:28: error: .*b-1/m);
    expect(JSON.parse((await run(['validate', 'bad.yaml', '--json'])).stdout)).toMatchObject([
      { severity: 'error', line: 8, column: 28 },
    ]);
    expect((await json<Workflow[]>('workflow', 'list')).length).toBe(before);
    write('good.yaml', 'name: Good\nworkflow:\n  nodes: {a-1: {type: SCRIPT, script: {source: echo}}}\n');
    expect(await succeed(['validate', 'good.yaml'])).toBe('good.yaml: no problems\n');
    await make('Bad');
    expect((await run(['validate', 'bad.yaml'])).stdout).toBe(stdout);
    write('typo.yaml', 'name: Bad\nworkflow:\n  nodes:\n    a-1: {type: SCRIPT, script: {source: echo}, retrys: 1}\n');
    expect(await succeed(['validate', 'typo.yaml'])).toMatch(/^typo\.yaml:4:49: warning: .*retrys/);
    write(
      'alias.yaml',
      'name: Good\nworkflow:\n  nodes:\n    a-1: &a {type: SCRIPT, script: {source: echo}}\n    b-1: *a\n',
    );
    expect(await run(['validate', 'alias.yaml'])).toMatchObject({
      code: 2,
      stderr:
        'alias.yaml is not a workflow file:\n  line 5, column 10: aliases are not supported; repeat the value instead\n',
    });
    write('broken.yaml', 'name: x\nworkflow: [\n');
    expect(await fail(['validate', 'broken.yaml'])).toMatch(/broken\.yaml is not valid YAML, line 3, column 1: /);
    expect(await fail(['push', 'bad.yaml'])).toMatch(/line 8, column 28: .*b-1/);
    // The text that is sent differs from the file if it names other files, so there is no place.
    write('part.yaml', 'name: Part\nworkflow:\n  nodes: {a-1: {type: SCRIPT, script: {source: echo}}}\n');
    const part = '  connections:\n    - {from: m-1/nix, to: b-1/file}\n';
    write('whole.yaml', `name: Whole\nworkflow:\n  nodes: {m-1: {type: WORKFLOW, workflow: part.yaml}}\n${part}`);
    const refusal = await fail(['push', 'whole.yaml']);
    expect(refusal).toContain('m-1');
    expect(refusal).not.toContain('line ');
    write('unknown.yaml', 'name: x\nworkflow: {}\nexecute:\n  inptus: {}\n');
    expect(await fail(['push', 'unknown.yaml'])).toContain(
      'line 4, column 3: execute.inptus: is not a known field; did you',
    );
  });
});

describe('a download that is interrupted', () => {
  const CONTENT = Buffer.alloc(3_000_000, 'x');
  let proxy: Server;
  let url: string;
  let onStall: () => void = () => undefined;

  /** Passes requests to the system, and stops in the middle of each download. */
  beforeAll(async () => {
    await account.client.files.upload('big.bin', new Blob([CONTENT]));
    proxy = createServer((request, response) => {
      void (async () => {
        const headers = { authorization: String(request.headers.authorization) };
        const reply = await fetch(`${systemUrl()}${request.url}`, { headers });
        const body = Buffer.from(await reply.arrayBuffer());
        const isDownload = request.url?.endsWith('/download');
        response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': body.length });
        if (!isDownload) return response.end(body);
        response.write(body.subarray(0, body.length / 2));
        onStall = () => response.destroy();
        return undefined;
      })();
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    proxy.close();
    proxy.closeAllConnections();
  });

  const begin = async (target: string) => {
    mkdirSync(join(folder, target));
    write(`${target}/big.bin`, 'earlier');
    const args = [`${REPOSITORY}apps/cli/bin/millrace.mjs`, 'files', 'get', 'big.bin'];
    const child = spawn(process.execPath, args, {
      ...{ cwd: join(folder, target), env: { PATH: process.env.PATH, ...cli.env(url) } },
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const closed = once(child, 'close');
    await eventually(() => expect(readdirSync(join(folder, target))).toHaveLength(2));
    return { child, ended: async () => ({ code: ((await closed) as [number])[0], stderr }) };
  };

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s leaves nothing, and keeps the earlier file', async (signal, code) => {
    const { child, ended } = await begin(signal);
    child.kill(signal);
    expect((await ended()).code).toBe(code);
    expect(readdirSync(join(folder, signal))).toEqual(['big.bin']);
    expect(read(`${signal}/big.bin`)).toBe('earlier');
  });

  it('by a lost connection leaves nothing, and says so in a line', async () => {
    const { ended } = await begin('lost');
    onStall();
    const { code, stderr } = await ended();
    expect(code).toBe(5);
    expect(stderr).toMatch(/^The connection to the server was lost .*\n$/);
    expect(readdirSync(join(folder, 'lost'))).toEqual(['big.bin']);
  });

  it('by a full disk says so in a line', async () => {
    if (!existsSync('/dev/full')) return;
    expect(await fail(['files', 'get', 'big.bin', '-o', '/dev/full'])).toBe(
      'Cannot write /dev/full: the disk is full.\n',
    );
  });
});
