import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CliResult } from '@millrace/cli/testing/spawn-cli';
import type { MillraceClient } from '@millrace/client';
import type { Run } from '@millrace/contracts/records';
import { roles, runs, versions } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { invite } from './support/invite.js';
import { runCli, runCliApart, runInTerminal } from './support/run-cli.js';
import { script, toData, waitForEnd } from './support/run-workflow.js';
import { signUp, systemUrl, type Account } from './support/sign-up.js';

let account: Account;
let folder: string;
beforeAll(async () => {
  account = await signUp();
  folder = mkdtempSync(join(tmpdir(), 'millrace-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const baseEnv = () => ({ MILLRACE_URL: systemUrl(), XDG_CONFIG_HOME: folder, MILLRACE_DATA_DIR: join(folder, 'none') });
const signedInEnv = () => ({ ...baseEnv(), MILLRACE_TOKEN: account.access });

const dataOf = (source: string) => ({
  nodes: { 'only-1': { type: 'SCRIPT', meta: { label: 'result' }, script: { source } } },
});

function write(name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ name, workflow: dataOf(source) }));
  return path;
}

describe('a sign-in', () => {
  it('is required, and the message names the command for it', async () => {
    const { code, stderr } = await runCli(['runs'], { env: { ...baseEnv(), XDG_CONFIG_HOME: join(folder, 'empty') } });
    expect(code).toBe(3);
    expect(stderr).toContain(`millrace login --url ${systemUrl()}`);
  });

  it('with email and password is stored in a file that only its owner can read', async () => {
    const { email, password } = account;
    const login = await runCli(['login', '--email', email], { env: baseEnv(), input: `${password}\n` });
    expect(login).toMatchObject({ code: 0, stdout: `Signed in to ${systemUrl()} as ${email}.\n` });
    const file = join(folder, 'millrace', 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(password);
    expect(await runCli(['runs'], { env: baseEnv() })).toMatchObject({ code: 0 });
  });

  it('has a session that is renewed automatically, even by concurrent commands', async () => {
    const file = join(folder, 'millrace', 'credentials.json');
    const credentials = readFileSync(file, 'utf8').replace(
      /"expiresAt": "[^"]*"/,
      '"expiresAt": "2020-01-01T00:00:00Z"',
    );
    writeFileSync(file, credentials);
    const results = await Promise.all([1, 2, 3].map(() => runCliApart(['runs'], { env: baseEnv() })));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('is part of a signup, which creates an account', async () => {
    const args = ['signup', '--email', `cli-${Date.now()}@example.org`];
    const env = { ...baseEnv(), XDG_CONFIG_HOME: join(folder, 'new') };
    expect(await runCli(args, { env, input: 'a long enough phrase\n' })).toMatchObject({ code: 0 });
    expect(await runCli(['runs'], { env })).toMatchObject({ code: 0 });
  });

  it('with a wrong password fails with that reason', async () => {
    const env = { ...baseEnv(), XDG_CONFIG_HOME: join(folder, 'wrong') };
    const { code, stderr } = await runCli(['login', '--email', account.email], { env, input: 'not it at all\n' });
    expect(code).toBe(3);
    expect(stderr).toContain('invalid_credentials');
  });
});

describe('a run', () => {
  it('that fails exits with 1 and prints the reason', async () => {
    const { code, stdout } = await runCli(['run', write('fails', 'exit 4'), '--watch'], {
      env: signedInEnv(),
      cwd: folder,
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/only-1 FAILED.*\n[^]*Run \d+ FAILED/);
  });

  it('with a distributed node prints every retry of another node once, in order, with its reason', async () => {
    const workflow = toData({
      nodes: {
        'source-1': script('seq 40'),
        'each-1': script('true', {
          inputs: { item: { type: 'STRING', order: 1, command: '' } },
          distribution: { input: 'item', mode: 'line' },
        }),
        'again-1': script('exit 4', { retries: 2 }),
      },
      edges: [['source-1/file', 'each-1/item']],
    });
    const path = join(folder, 'retried');
    writeFileSync(path, JSON.stringify({ name: 'retried', workflow }));
    const { stdout } = await runCli(['run', path, '--watch'], { env: signedInEnv(), cwd: folder });
    const lines = stdout.split('\n').filter((line) => /again-1 (RETRY|FAILED)/.test(line));
    expect(lines).toEqual([
      expect.stringContaining('again-1 RETRY attempt 1 of 3 failed: exit code 4'),
      expect.stringContaining('again-1 RETRY attempt 2 of 3 failed: exit code 4'),
      expect.stringMatching(/again-1 FAILED .*attempt 3 of 3: exit code 4/),
    ]);
  });

  it('that was started without --watch can be fetched later', async () => {
    const startedRun = await runCli(['run', write('later', 'echo here'), '--json'], { env: signedInEnv() });
    const { run } = JSON.parse(startedRun.stdout) as { run: { id: string } };
    await waitForEnd(account.client, run.id);
    const fetched = await runCli(['output', run.id, '--nodes', 'result', '--dir', 'got'], {
      env: signedInEnv(),
      cwd: folder,
    });
    expect(fetched).toMatchObject({ code: 0, stdout: 'got/result/output.txt\n' });
    expect(readFileSync(join(folder, 'got/result/output.txt'), 'utf8')).toBe('here\n');
    expect((await runCli(['runs'], { env: signedInEnv() })).stdout).toMatch(
      new RegExp(`^${run.id} +COMPLETED +later`, 'm'),
    );
    expect((await runCli(['logs', run.id, 'only-1', '--follow'], { env: signedInEnv() })).stdout).toBe('here\n');
  });

  it('is stopped by Ctrl-C, and the command exits with 130', async () => {
    let isPressed = false;
    const { code, stdout } = await runCliApart(['run', write('long', 'sleep 300'), '--watch'], {
      env: signedInEnv(),
      cwd: folder,
      onOutput: (workflowFile, kill) => {
        if (isPressed || !workflowFile.includes('only-1 RUNNING')) return;
        isPressed = true;
        kill('SIGINT');
      },
    });
    expect(code).toBe(130);
    const id = /Run (\d+) STOPPED/.exec(stdout)?.[1] ?? '';
    expect((await account.client.call(runs.getRun, { params: { id } })).status).toBe('STOPPED');
    expect(existsSync(join(folder, 'Playground', 'long'))).toBe(false);
  });

  it.each([
    ['stops', 's\n', 'STOPPED', 130],
    ['leaves', 'l\n', 'RUNNING', 130],
    ['watches', '\n', 'COMPLETED', 0],
  ] as const)('%s after Ctrl-C at a terminal as the user chooses', async (choice, reply, status, exitCode) => {
    const path = write(`${choice} after ctrl-c`, choice === 'watches' ? 'sleep 3' : 'sleep 300');
    const steps: [shown: string, keys: string][] = [
      ['only-1', '\u0003'],
      ['go on watching? ', reply],
    ];
    const { code, stdout } = await runInTerminal(['run', path, '--watch'], { env: signedInEnv(), cwd: folder, steps });
    expect(code).toBe(exitCode);
    const id = /run (\d+)/i.exec(stdout)?.[1] ?? '';
    // The first reports of a run may not be stored yet when its node is shown.
    await eventually(async () =>
      expect((await account.client.call(runs.getRun, { params: { id } })).status).toBe(status),
    );
    if (status === 'RUNNING') {
      await account.client.call(runs.stopRun, { params: { id } });
      expect(stdout).toContain(`millrace run get ${id} --watch`);
    }
  });

  it.each(['of a file', 'on the server'])(
    'of a workflow %s can set an input of a node without a new version',
    async (kind) => {
      const name = `set ${kind}`;
      const inputs = { word: { type: 'STRING', order: 1, value: 'one' } };
      const nodes = { 'say-1': script('echo $1', { meta: { label: 'said' }, inputs }) };
      writeFileSync(join(folder, `${name}.yaml`), JSON.stringify({ name, workflow: toData({ nodes }) }));
      const options = { env: signedInEnv(), cwd: folder };
      const first = await runCli(['run', `${name}.yaml`, '--json'], options);
      const { workflow_version_info: version } = (JSON.parse(first.stdout) as { run: Run }).run;
      const target = kind === 'of a file' ? `${name}.yaml` : name;
      const args = ['--set', 'say-1.word=two', '--download', name, '--json'];
      const second = await runCli(['run', target, ...args], options);
      const { run } = JSON.parse(second.stdout) as { run: Run };
      expect(run).toMatchObject({ status: 'COMPLETED', workflow_version_info: version });
      expect(readFileSync(join(folder, name, 'said/output.txt'), 'utf8')).toBe('two\n');
      const refused = await runCli(['run', target, '--set', 'say-1.wrod=two'], options);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('no input "say-1.wrod"') });
    },
  );

  it('of another terminal can be watched', async () => {
    const started = await runCli(['run', write('watched', 'sleep 1; echo seen'), '--json'], { env: signedInEnv() });
    const { run } = JSON.parse(started.stdout) as { run: Run };
    const args = ['run', 'get', run.id, '--watch', '--output', 'seen'];
    const watched = await runCli(args, { env: signedInEnv(), cwd: folder });
    expect(watched).toMatchObject({ code: 0, stdout: expect.stringMatching(/only-1 SUCCEEDED[^]*COMPLETED in/) });
    expect(readFileSync(join(folder, 'seen/result/output.txt'), 'utf8')).toBe('seen\n');
  });

  it('gets a local folder as an input, which is uploaded once', async () => {
    mkdirSync(join(folder, 'lists/more'), { recursive: true });
    writeFileSync(join(folder, 'lists/a.txt'), 'a\n');
    writeFileSync(join(folder, 'lists/more/b.txt'), 'b\n');
    const workflow = toData({
      nodes: {
        'find-1': script('cd in/*/ && find -type f | sort && cat $(find -type f | sort)', {
          meta: { label: 'found' },
          inputs: { lists: { type: 'FOLDER', order: 1 } },
        }),
      },
      inputs: { 'git-input-1': { type: 'FOLDER', label: 'lists' } },
      edges: [['git-input-1/output', 'find-1/lists']],
    });
    writeFileSync(join(folder, 'folders.yaml'), JSON.stringify({ name: 'folders', workflow }));
    const options = { env: signedInEnv(), cwd: folder };
    const args = ['--input', 'lists=@lists', '--output', 'found'];
    const first = await runCli(['run', 'folders.yaml', ...args], options);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('Uploading lists/ (2 files)') });
    expect(readFileSync(join(folder, 'found/found/output.txt'), 'utf8')).toBe('./a.txt\n./more/b.txt\na\nb\n');
    const second = await runCli(['run', 'folders', ...args], options);
    expect(second).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Uploading') });
    const refused = await runCli(['run', 'folders.yaml', '--input', 'lists=@lists/a.txt'], options);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a file, and this input takes a folder'),
    });
  });

  it('has outputs in the folders of its space, its workflow and its nodes', async () => {
    const workflow = toData({
      nodes: {
        'source-1': script('seq 2'),
        'each-1': script('echo $1 > out/number.txt; echo $1 > out/other.txt', {
          meta: { label: 'numbers' },
          inputs: { item: { type: 'STRING', order: 1, command: '' } },
          distribution: { input: 'item', mode: 'line' },
        }),
      },
      edges: [['source-1/file', 'each-1/item']],
    });
    writeFileSync(join(folder, 'layout.yaml'), JSON.stringify({ name: 'Layout', workflow }));
    const options = { env: signedInEnv(), cwd: folder };
    const { stdout } = await runCli(['run', 'layout.yaml', '--watch', '--json'], options);
    const { run } = JSON.parse(stdout) as { run: Run };
    const parent = `Playground/Layout/run-${run.started_date?.replace(/\.\d+/, '').replaceAll(':', '')}-${run.id}`;
    const number = (await runCli(['output', run.id, '--files', 'number.txt'], options)).stdout.trim().split('\n');
    expect(number).toEqual([`${parent}/1-numbers/number.txt`, `${parent}/2-numbers/number.txt`]);
    expect(readFileSync(join(folder, `${parent}/2-numbers/number.txt`), 'utf8')).toBe('2\n');
    const nodes = (await runCli(['output', run.id, '--nodes', 'source-1', '--dir', 'some'], options)).stdout;
    expect(nodes).toBe('some/source/output.txt\n');
    expect((await runCli(['output', run.id, '--all', '--dir', 'all'], options)).stdout.split('\n')).toHaveLength(6);
    expect(await runCli(['output', run.id, '--nodes', 'nowhere'], options)).toMatchObject({ code: 4 });
    await runCli(['output', run.id, '--all', '--archive', 'all.zip'], options);
    const names = 'import zipfile; print("\\n".join(sorted(zipfile.ZipFile("all.zip").namelist())))';
    const archived = execFileSync('python3', ['-c', names], { cwd: folder, encoding: 'utf8' }).trim().split('\n');
    const files = readdirSync(join(folder, 'all'), { recursive: true, encoding: 'utf8' });
    expect(archived).toEqual(files.filter((file) => file.includes('/')).toSorted());
    expect(await runCli(['output', run.id, '--nodes', 'nowhere', '--archive', 'a.zip'], options)).toMatchObject({
      code: 4,
    });
  });

  it('is not deleted by a command with an option of `run` that would have no effect', async () => {
    const args = ['run', '--dry-run', 'delete', '999999', '--yes'];
    const { code, stderr } = await runCli(args, { env: signedInEnv() });
    expect(code).toBe(2);
    expect(stderr).toContain('--dry-run is an option of "millrace run", and not of "millrace run delete"');
  });

  it.each([
    [['run', 'stpo', '42'], 2],
    [['run', 'stpo'], 4],
  ])('is not what %j means, and the nearest subcommand is suggested', async (args, code) => {
    const result = await runCli(args, { env: signedInEnv() });
    expect(result).toMatchObject({ code, stderr: expect.stringContaining('Did you mean "millrace run stop"?') });
  });

  it.each([
    ['of a file that does not exist', ['run', 'nowhere.yaml'], 'The file nowhere.yaml does not exist.'],
    ['of a folder', ['run', './examples'], './examples is a folder'],
    ['with an unknown input', ['run', 'examples/wordcount.yaml', '--set', 'txet=x'], 'no input "txet"'],
    [
      'with an input file that does not exist',
      ['run', 'examples/wordcount.yaml', '--set', 'text=nowhere'],
      'The path "nowhere" is relative to',
    ],
    [
      'in an unknown space',
      ['run', 'examples/checksums.yaml', '--space', 'nowhere'],
      'No space named "nowhere" exists',
    ],
  ])('%s is rejected', async (_, args, message) => {
    const { code, stderr } = await runCli(args, { env: signedInEnv() });
    expect(code).toBe(args.includes('--space') ? 4 : 2);
    expect(stderr).toContain(message);
  });
});

describe('a workflow that another user has saved', () => {
  const workflowFile = (name: string, source: string) => {
    const path = write(name, source);
    return { path, run: (...args: string[]) => runCli(['run', path, '--json', ...args], { env: signedInEnv() }) };
  };
  const startedRun = ({ code, stderr, stdout }: CliResult) => {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return (JSON.parse(stdout) as { run: Run }).run;
  };
  const saveAs = (client: MillraceClient, id: string, source: string) =>
    client.call(versions.saveVersion, { params: { id }, body: { data: dataOf(source) } });
  const latestOf = async (id: string) =>
    (await account.client.call(versions.getVersion, { params: { id, versionId: 'latest' } })).data;

  it('is not overwritten without --force', async () => {
    const colleague = await invite(account, 'space_admin');
    const { workflow_info: id } = startedRun(await workflowFile('shared', 'echo 1').run());
    await account.client.call(roles.setUserSpaceRole, {
      params: { spaceId: account.space, id: colleague.user },
      body: { role: 'write' },
    });
    await saveAs(colleague.client, id, 'echo theirs');
    const refused = await workflowFile('shared', 'echo 2').run();
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`Version 2 was saved by Guest (${colleague.email}) on 20`);
    expect(refused.stderr).toContain('--force');
    expect(await latestOf(id)).toEqual(dataOf('echo theirs'));
    startedRun(await workflowFile('shared', 'echo 2').run('--force'));
    startedRun(await workflowFile('shared', 'echo 3').run());
    expect(await latestOf(id)).toMatchObject(dataOf('echo 3'));
  });

  it('is not overwritten by a file that was never run from this machine', async () => {
    const { path, run } = workflowFile('new here', 'echo 1');
    const { workflow_info: id } = startedRun(await run());
    const otherMachine = { ...signedInEnv(), XDG_CONFIG_HOME: join(folder, 'otherMachine') };
    expect(await runCli(['run', path], { env: otherMachine })).toMatchObject({ code: 0 });
    const copy = join(folder, 'copy.yaml');
    writeFileSync(copy, readFileSync(path, 'utf8').replace('echo 1', 'echo 2'));
    const refused = await runCli(['run', copy], { env: signedInEnv() });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('which you have not run from this machine before');
    expect(await latestOf(id)).toMatchObject(dataOf('echo 1'));
  });

  it('runs with a warning from a machine that cannot store its version', async () => {
    const config = join(folder, 'cannot be written');
    mkdirSync(config);
    symlinkSync('/proc/nowhere', join(config, 'millrace'));
    const env = { ...signedInEnv(), XDG_CONFIG_HOME: config };
    const { code, stderr } = await runCli(['run', write('not remembered', 'echo 1')], { env });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^Warning: the number of the saved version cannot be stored.*Cannot create the folder .*\n$/,
    );
  });

  it('can be exported, edited and run without --force', async () => {
    const { workflow_info: id } = startedRun(await workflowFile('exported', 'echo 1').run());
    const file = join(folder, 'exported.yaml');
    const otherMachine = { ...signedInEnv(), XDG_CONFIG_HOME: join(folder, 'exports') };
    expect(await runCli(['export', 'exported', '--output', file], { env: otherMachine })).toMatchObject({ code: 0 });
    writeFileSync(file, readFileSync(file, 'utf8').replace('echo 1', 'echo edited'));
    const { workflow_info } = startedRun(await runCli(['run', file, '--json'], { env: otherMachine }));
    expect(workflow_info).toBe(id);
    expect(await latestOf(id)).toMatchObject(dataOf('echo edited'));
    const json = await runCli(['export', id, '--format', 'json'], { env: otherMachine });
    expect(JSON.parse(json.stdout)).toMatchObject({ millrace: 1, name: 'exported' });
  });
});

it('warnings are printed before the run starts, and errors prevent the run', async () => {
  const path = join(folder, 'warned.yaml');
  const node = { type: 'SCRIPT', script: { source: 'echo' }, inputs: { loud: { type: 'BOOLEAN', order: 1 } } };
  writeFileSync(path, JSON.stringify({ name: 'warned', workflow: { nodes: { 'only-1': node } } }));
  const warned = await runCli(['run', path, '--json'], { env: signedInEnv() });
  expect(warned.code).toBe(0);
  expect(warned.stderr).toMatch(/^Warning: node "only-1", field "loud": /);
  writeFileSync(path, JSON.stringify({ name: 'broken', workflow: { nodes: { 'only-1': { type: 'SCRIPT' } } } }));
  const broken = await runCli(['run', path], { env: signedInEnv() });
  expect(broken.code).toBe(2);
  expect(broken.stderr).toMatch(/The workflow has errors and cannot run.*\n {2}- node "only-1".*\n$/);
});

it('the outputs of a failed run are reported as missing, not as pending', async () => {
  const { stdout } = await runCli(['run', write('no output', 'exit 4'), '--json'], { env: signedInEnv() });
  const { run } = JSON.parse(stdout) as { run: { id: string } };
  await waitForEnd(account.client, run.id);
  const { code, stderr } = await runCli(['output', run.id], { env: signedInEnv(), cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toContain(`Run ${run.id} failed before it produced a named output`);
});
