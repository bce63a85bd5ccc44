import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Space, Workflow } from '@millrace/client';
import { eventually } from '@millrace/testkit/eventually';
import { CliSession, workflowOf } from './support/cli-session.js';
import { makeTable } from './support/live-table.js';
import { recordSecret } from './support/record-secret.js';
import { REPOSITORY } from './support/repository.js';
import { runCliApart } from './support/run-cli.js';
import { waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

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
const fail = (args: string[], input = '', expected = 2) => cli.fail(args, input, expected);
/** A command that does not find what it names. */
const miss = (args: string[]) => cli.fail(args, '', 4);
const json = <T>(...args: string[]): Promise<T> => cli.json<T>(...args);
const write = (name: string, text: string | Buffer) => cli.write(name, text);
const read = (name: string) => cli.read(name);

describe('spaces and projects', () => {
  it('are created, changed, listed and deleted', async () => {
    const space = await json<Space>('space', 'create', 'Research', '--description', 'Trials');
    expect(await succeed(['space', 'list'])).toMatch(/^ID +NAME.*\n[^]*Research/);
    await succeed(['space', 'update', 'Research', '--name', 'Studies']);
    expect(await json('space', 'get', 'Studies')).toMatchObject({ id: space.id, description: 'Trials' });
    await succeed(['project', 'create', 'Scans', '--space', 'Studies']);
    await succeed(['project', 'update', 'Scans', '--description', 'All of them']);
    expect(await succeed(['project', 'get', 'Scans'])).toMatch(/^DESCRIPTION +All of them$/m);
    expect(await json('project', 'list', '--space', 'Studies')).toMatchObject([{ name: 'Scans' }]);
    await succeed(['project', 'delete', 'Scans', '--yes']);
    expect(await fail(['space', 'delete', 'Studies'])).toContain('Add --yes to confirm. Nothing was changed.');
    await succeed(['space', 'delete', 'Studies', '--yes']);
    expect(await miss(['space', 'get', 'Studies'])).toBe('No space named "Studies" exists.\n');
  });
});

describe('workflows', () => {
  it('are created, copied, moved, published and deleted', async () => {
    await succeed(['space', 'create', 'Elsewhere']);
    await succeed(['workflow', 'create', 'Scan', '--description', 'Ports']);
    await succeed(['workflow', 'update', 'Scan', '--name', 'Port scan']);
    const { id } = await json<Workflow>('workflow', 'get', 'Port scan');
    write('port-scan.json', workflowOf('Port scan'));
    expect(await succeed(['push', 'port-scan.json'])).toContain('as version 1 of "Port scan"');
    write('again.json', workflowOf('Port scan', 'echo 2'));
    await succeed(['push', 'again.json', '--workflow', id, '--force', '--name', 'second']);
    expect(await json('workflow', 'versions', id)).toMatchObject([{ number: 2, name: 'second' }, { number: 1 }]);
    expect(await succeed(['workflow', 'diff', id, '1'])).toBe(
      '~ node only-1\n    script.source: "echo 1" → "echo 2"\n',
    );
    expect(await succeed(['workflow', 'restore', id, '1'])).toBe('The latest version is now 3.\n');
    expect(await succeed(['workflow', 'publish', id, '--name', 'Public scan'])).toContain('version 3 as "Public scan"');
    expect(await succeed(['workflow', 'publish', id, '--name', 'Module', '--module', 'scan-all'])).toContain(
      'uses: scan-all (version 1 of the module)',
    );
    write('user.yaml', 'name: User\nworkflow: { nodes: { scan-1: { uses: scan-all } } }\n');
    expect(await succeed(['push', 'user.yaml'])).toContain('as version 1 of "User"');
    await succeed(['workflow', 'copy', id, '--space', 'Elsewhere', '--name', 'Copy', '--from-version', '2']);
    await succeed(['workflow', 'move', id, '--space', 'Elsewhere']);
    const list = await json<Workflow[]>('workflow', 'list', '--space', 'Elsewhere');
    expect(list.map(({ name }) => name).toSorted()).toEqual(['Copy', 'Port scan']);
    await succeed(['workflow', 'delete', 'Copy', '--yes']);
    expect(await miss(['workflow', 'get', 'Copy'])).toContain('No workflow named "Copy"');
    expect(await miss(['workflow', 'diff', id, '9'])).toContain('has no version 9');
  });

  it('are imported from a file in either format', async () => {
    write('own.yaml', 'name: Own\nworkflow:\n  nodes: {a-1: {uses: sort-lines}}\n');
    expect(await json('import', 'own.yaml', '--name', 'Named')).toMatchObject({ name: 'Named' });
    write('exported.json', workflowOf('Exported'));
    await succeed(['import', 'exported.json']);
    expect(await succeed(['export', 'Exported'])).toContain('name: Exported');
  });
});

describe('the library', () => {
  it('is searched, shown and extended by a file', async () => {
    expect(await succeed(['library', 'search', 'sort', 'lines'])).toContain('sort-lines');
    expect(await succeed(['library', 'show', 'sort-lines'])).toMatch(/^INPUT +TYPE/m);
    expect(await succeed(['library', 'categories'])).toContain('CSV');
    const tool = 'name: my-tool\ndescription: Prints\nscript_type: bash\nscript: |\n  echo one\n';
    write('tool.yaml', tool);
    await succeed(['library', 'import', 'tool.yaml']);
    write('tool.yaml', tool.replace('one', 'two'));
    expect(await succeed(['library', 'import', 'tool.yaml', '--module', 'my-tool'])).toBe('my-tool is at version 2.\n');
    expect(await json('library', 'versions', 'my-tool')).toHaveLength(2);
    expect(await succeed(['library', 'uses', 'my-tool'])).toBe('No workflow uses it.\n');
    write('tool.yaml', 'name: [\n');
    expect(await fail(['library', 'import', 'tool.yaml'])).toMatch(/line \d+/);
    await succeed(['library', 'delete', 'my-tool', '--yes']);
  });
});

describe('files of the vault', () => {
  it('are uploaded, listed, downloaded and deleted, also as folders', async () => {
    mkdirSync(join(folder, 'lists', 'deep'), { recursive: true });
    write('lists/a.txt', 'a\n');
    write('lists/deep/b.txt', 'bb\n');
    expect(await succeed(['files', 'put', 'lists', 'in/'])).toBe('Uploaded 2 files to in/lists (5 B).\n');
    expect(await json('files', 'put', 'lists/a.txt', 'one.txt')).toMatchObject({ path: 'one.txt', size: 2 });
    expect(await succeed(['files', 'ls'])).toMatch(/^in\/ *\none\.txt +2 B/m);
    expect(await json('files', 'ls', 'in', '-r')).toMatchObject([
      { path: 'in/lists/a.txt' },
      { path: 'in/lists/deep/b.txt' },
    ]);
    await succeed(['files', 'get', 'in/lists', '--output', 'got']);
    expect([read('got/a.txt'), read('got/deep/b.txt')]).toEqual(['a\n', 'bb\n']);
    expect(await succeed(['files', 'get', 'one.txt', '--output', '-'])).toBe('a\n');
    expect(await succeed(['files', 'usage'])).toMatch(/^FILES +3$/m);
    expect(await fail(['files', 'rm', 'in'])).toContain('add --recursive');
    await succeed(['files', 'rm', 'in', '-r', '--yes']);
    await succeed(['files', 'rm', 'one.txt', '--yes']);
    expect(await succeed(['files', 'ls'])).toBe('No files.\n');
    expect(await fail(['files', 'get', 'one.txt'], '', 4)).toContain('No file or folder "one.txt" is stored.');
  });
});

describe('secret variables', () => {
  it('are set from standard input, and nothing prints their values', async () => {
    const value = recordSecret(`value-of-${account.user}`);
    const printed = [
      await succeed(['secrets', 'set', 'API_KEY', '--scope', 'vault'], 'first value here\n'),
      await succeed(['secrets', 'set', 'API_KEY', '--json'], `${value}\nsecond line\n`),
      await succeed(['secrets', 'list', '--json']),
    ].join('');
    expect(printed).toContain('Created API_KEY of the vault.');
    expect(printed).not.toContain(value);
    expect(await fail(['secrets', 'set', 'EMPTY'], '')).toContain('The value is empty.');
    await succeed(['space', 'create', 'Secretive']);
    await succeed(['secrets', 'set', 'OWN', '--space', 'Secretive'], 'of the space\n');
    expect(await succeed(['secrets', 'list', '--space', 'Secretive'])).toMatch(/^OWN +space/m);
    await succeed(['secrets', 'rm', 'API_KEY', '--yes']);
    expect(await fail(['secrets', 'rm', 'API_KEY', '--yes'], '', 4)).toContain('has no secret variable "API_KEY"');
  });
});

describe('schedules', () => {
  it('are set, shown and deleted', async () => {
    write('scheduled.json', workflowOf('Scheduled'));
    await succeed(['push', 'scheduled.json']);
    expect(await succeed(['schedule', 'get', 'Scheduled'])).toBe('The workflow has no schedule.\n');
    await succeed(['schedule', 'set', 'Scheduled', '--cron', '0 6 * * 1', '--timezone', 'Europe/Paris']);
    expect(await succeed(['schedule', 'get', 'Scheduled'])).toMatch(/^TIME ZONE +Europe\/Paris$/m);
    expect(await succeed(['schedule', 'ticks', 'Scheduled'])).toBe('No ticks yet.\n');
    await succeed(['schedule', 'delete', 'Scheduled', '--yes']);
    expect(await fail(['schedule', 'delete', 'Scheduled', '--yes'], '', 4)).toContain('has no schedule');
  });
});

describe('webhooks', () => {
  const address = 'https://hooks.invalid/millrace';

  it('are created without showing the secret, tested, changed and deleted', async () => {
    const created = await json<{ id: string; secret?: string }>(
      'webhook',
      'create',
      'alerts',
      address,
      '--event',
      'run.failed',
    );
    expect(created.secret).toBeUndefined();
    const secret = (await succeed(['webhook', 'rotate-secret', 'alerts', '--yes'])).trim();
    expect(recordSecret(secret)).toMatch(/^whsec_/);
    const test = await json<{ id: string }>('webhook', 'test', 'alerts');
    const sent = await json('webhook', 'deliveries', 'alerts');
    expect(sent).toMatchObject([{ id: test.id, event: 'webhook.test' }]);
    await succeed(['webhook', 'redeliver', 'alerts', test.id]);
    expect(await json('webhook', 'update', 'alerts', '--disable')).toMatchObject({ enabled: false });
    expect(await succeed(['webhook', 'list'])).toMatch(/alerts +run\.failed +no/);
    expect(await succeed(['webhook', 'get', 'alerts'])).toContain(address);
    await succeed(['webhook', 'delete', 'alerts', '--yes']);
  });
});

describe('Live Tables', () => {
  it('load, query and export rows, and list changes', async () => {
    await makeTable(account, ['ip']);
    const csv = 'ip,port,name\n10.0.0.1,443,"a, b"\n10.0.0.2,80,\n';
    write('hosts.csv', csv);
    expect(await succeed(['table', 'import', 'hosts', 'hosts.csv'])).toContain('Read 2 rows: 2 new');
    write('hosts.csv.gz', gzipSync(csv));
    expect(await succeed(['table', 'import', 'hosts', 'hosts.csv.gz'])).toContain('2 unchanged');
    const lines = '{"ip":"10.0.0.3","port":22}\n{bad\n{"ip":"10.0.0.1","port":444}\n';
    expect(await succeed(['table', 'import', 'hosts', '-', '--format', 'ndjson'], lines)).toContain(
      '1 new, 1 changed, 0 unchanged, 1 rejected',
    );
    expect(await succeed(['table', 'rejected', 'hosts'])).toContain('{bad');
    expect(await succeed(['table', 'list'])).toMatch(/hosts +3 /);
    expect(await succeed(['table', 'get', 'hosts'])).toMatch(/^PRIMARY KEY +ip$/m);
    const select = ['--select', 'ip,port', '--order', '-port'];
    expect(await json('table', 'query', 'hosts', 'port > 79', ...select)).toEqual([
      { ip: '10.0.0.1', port: 444 },
      { ip: '10.0.0.2', port: 80 },
    ]);
    expect(await succeed(['table', 'query', 'hosts', '--csv', ...select, '--limit', '1'])).toBe(
      'ip,port\n10.0.0.1,444\n',
    );
    expect(await succeed(['table', 'query', 'hosts', '--jsonl', ...select, '--all'])).toMatch(/^(\{.*\}\n){3}$/);
    expect(await fail(['table', 'query', 'hosts', 'port ='])).toContain('ends where a value is expected');
    expect(await succeed(['table', 'changes', 'hosts'])).toMatch(/^changed +\d+ +\{"port":443\} +\{"port":444\}$/m);
    await succeed(['table', 'export', 'hosts', 'port = 22', '--select', 'ip', '--output', 'out/hosts.csv']);
    expect(read('out/hosts.csv')).toBe('ip\n10.0.0.3\n');
    expect(readdirSync(join(folder, 'out'))).toEqual(['hosts.csv']);
  });
});

describe('the account and the vault', () => {
  it('have notifications with settings', async () => {
    expect(await succeed(['notifications', 'list'])).toBe('No notifications.\n');
    expect(await succeed(['notifications', 'config', 'RUN_FAILED', '--email', 'off'])).toMatch(
      /^RUN_FAILED +off +on$/m,
    );
    await succeed(['notifications', 'read', '--all']);
    expect(await fail(['notifications', 'read'])).toContain('Use either ids or --all.');
  });

  it('follow notifications as they arrive', async () => {
    write('failing.json', workflowOf('Failing', 'exit 1'));
    await succeed(['push', 'failing.json']);
    let isEnded = false;
    const followed = runCliApart(['notifications', 'follow', '--json'], {
      ...{ env: cli.env(), cwd: folder },
      onOutput: (text, kill) => {
        isEnded = text.includes('\n');
        if (isEnded) kill('SIGINT');
      },
    });
    const { id } = (await json<Workflow[]>('workflow', 'list', '--search', 'Failing'))[0] as Workflow;
    // The stream begins at some time after the start of the command, so runs are started until one is reported.
    await eventually(async () => {
      if (!isEnded) await waitForEnd(account.client, (await account.client.workflows.run(id, {})).id);
      expect(isEnded).toBe(true);
    });
    expect(JSON.parse((await followed).stdout.split('\n')[0] ?? '')).toMatchObject({ notification_type: 'RUN_FAILED' });
  });

  it('have usage and an audit log', async () => {
    expect(await succeed(['usage', '--csv'])).toMatch(/^day,execution_units/);
    expect(await json('usage', '--by', 'workflow')).toMatchObject({ total: {} });
    await succeed(['usage', '--by', 'month']);
    await succeed(['usage', '--from', '2026-11-01', '--output', 'usage.csv']);
    expect(read('usage.csv')).toMatch(/^day,/);
    expect(await succeed(['audit', 'list', '--action', 'webhook.created'])).toMatch(/webhook\.created.*webhook alerts/);
    expect(await succeed(['audit', 'list', '--all', '--jsonl'])).toMatch(/^(\{.*\}\n)+$/);
  });

  it('get a new API token on request only', async () => {
    expect(await fail(['token', 'regenerate'])).toContain('Add --yes to confirm');
    const { code, stdout, stderr } = await run(['token', 'regenerate', '--yes']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^[\x21-\x7e]+\n$/) });
    expect(stderr).not.toContain(recordSecret(stdout.trim()));
  });
});

describe('a sandbox session', () => {
  it('executes commands, and has files', async () => {
    expect(await run(['sandbox', 'exec', 'seq 3 > n; wc -l n; exit 3'])).toMatchObject({ code: 3, stdout: '3 n\n' });
    expect(JSON.parse((await run(['sandbox', 'exec', 'echo o; echo e >&2', '--json'])).stdout)).toMatchObject({
      ...{ code: 0, stdout: 'o\n', stderr: 'e\n' },
    });
    write('local.txt', 'hello\n');
    await succeed(['sandbox', 'put', 'local.txt', 'in/remote.txt']);
    expect(await json('sandbox', 'ls', 'in')).toMatchObject([{ path: 'in/remote.txt', size: 6 }]);
    expect(await succeed(['sandbox', 'get', '/workspace/in/remote.txt', '-o', '-'])).toBe('hello\n');
    expect(await succeed(['sandbox', 'status'])).toMatch(/^STATUS +running$/m);
  });

  it('has a shell with a current folder, whose exit code is that of its last command', async () => {
    const lines = 'mkdir -p deep/er\ncd deep/er\npwd\ncat ../../in/remote.txt\ncd nowhere\nexit\necho not reached\n';
    const { code, stdout, stderr } = await run(['sandbox'], lines);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '/workspace/deep/er\nhello\n' });
    expect(stderr).toContain('[exit code 1]');
  });

  it('continues after Ctrl-C, which ends the command only', async () => {
    const child = spawn(process.execPath, [`${REPOSITORY}apps/cli/bin/millrace.mjs`, 'sandbox'], {
      env: { PATH: process.env.PATH, ...cli.env() },
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stdin.write('echo begun; sleep 60\n');
    await eventually(() => expect(stdout).toContain('begun'));
    child.kill('SIGINT');
    child.stdin.end('echo next\n');
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'begun\nnext\n' });
    expect(await succeed(['sandbox', 'stop'])).toBe('Stopped the session.\n');
    expect(await succeed(['sandbox', 'stop'])).toBe('No session was running.\n');
  });
});

describe('the help', () => {
  it.each([
    ...['audit', 'files', 'import', 'library', 'notifications', 'project', 'pull', 'push', 'sandbox', 'schedule'],
    ...['secrets', 'space', 'table', 'token', 'usage', 'validate', 'webhook', 'workflow'],
  ])('of %s has an example', async (name) => {
    expect(await succeed([name, '--help'])).toMatch(new RegExp(`Examples?:\n  millrace ${name}`));
  });
});
