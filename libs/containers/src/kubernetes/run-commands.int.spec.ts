import { lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '@millrace/isolation/limits/limits';
import { eventually } from '@millrace/testkit/eventually';
import type { ContainerCommand } from '../container-executor.js';
import { testOptions } from '../testing/kubernetes-test-options.js';
import { makeCommand, removeCommands } from '../testing/make-command.js';
import { startStubCluster } from '../testing/start-stub-cluster.js';
import type { StubCluster } from '../testing/stub-cluster.js';
import { BARE_IMAGE } from '../testing/stub-images.js';
import { KubernetesExecutor } from './kubernetes-executor.js';

let cluster: StubCluster;
let executor: KubernetesExecutor;
beforeAll(async () => {
  cluster = await startStubCluster();
  executor = new KubernetesExecutor(testOptions(cluster));
});
afterAll(async () => {
  await executor.close();
  await cluster.close();
});
afterEach(removeCommands);

const logOf = ({ folders }: ContainerCommand, stream: 'stdout' | 'stderr') =>
  readFileSync(join(folders.step, stream), 'utf8');

describe('a command', () => {
  it('gets its inputs, and its outputs and both logs come back', async () => {
    const command = makeCommand(
      'cat in/list script; echo problem >&2; mkdir out/d; cp in/list out/d/copy; ln -s d/copy out/link',
    );
    writeFileSync(join(command.folders.input, 'list'), 'one\n');
    writeFileSync(join(command.folders.work, 'script'), 'two\n');
    const exit = await executor.run(command).exit;
    expect([logOf(command, 'stdout'), logOf(command, 'stderr')]).toEqual(['one\ntwo\n', 'problem\n']);
    expect(exit).toMatchObject({ code: 0, signal: null, killReason: null });
    const { output } = command.folders;
    expect(readFileSync(join(output, 'd/copy'), 'utf8')).toBe('one\n');
    expect(lstatSync(join(output, 'link')).isSymbolicLink()).toBe(true);
  });

  it('has the programs, the environment and the PATH of its image, and none of Kubernetes or busybox', async () => {
    const command = makeCommand(
      'sort --version | head -1; echo "$TOOL_VERSION $HOME $MINE"; env | grep -c KUBERNETES',
      {
        env: { HOME: '/tmp', MINE: "it's\n$(id)" },
      },
    );
    await executor.run(command).exit;
    expect(logOf(command, 'stdout')).toMatch(/^sort \(GNU coreutils\).*\n1\.4 \/tmp it's\n\$\(id\)\n0\n$/);
  });

  it('runs in an image that has no shell', async () => {
    const command = makeCommand('', { image: BARE_IMAGE, argv: ['echo', 'alone'] });
    expect(await executor.run(command).exit).toMatchObject({ code: 0 });
    expect(logOf(command, 'stdout')).toBe('alone\n');
  });

  it('cannot change its inputs or its image, and is the user that it should be', async () => {
    const command = makeCommand('id -u; touch in/x; touch /usr/x; touch /millrace/tools/x; true');
    await executor.run(command).exit;
    expect(logOf(command, 'stdout')).toBe('12345\n');
    expect(logOf(command, 'stderr').match(/Read-only file system/g)).toHaveLength(3);
  });

  it('reports its exit code, its CPU time and its memory', async () => {
    const program = 'my $x = "a" x 50_000_000; my $i = 0; $i++ while $i < 8_000_000; exit 3';
    const exit = await executor.run(makeCommand('', { argv: ['perl', '-e', program] })).exit;
    expect(exit).toMatchObject({ code: 3, signal: null });
    expect(exit.cpuMs).toBeGreaterThan(100);
    expect(exit.maxRssBytes).toBeGreaterThan(50e6);
    expect(exit.maxRssBytes).toBeLessThan(200e6);
  });

  it('reports the signal that ended it', async () => {
    expect(await executor.run(makeCommand('kill -SEGV $$')).exit).toMatchObject({ code: null, signal: 'SIGSEGV' });
  });

  it('ends with everything that it has started', async () => {
    const command = makeCommand('(sleep 60; echo late) & echo started');
    const started = performance.now();
    expect(await executor.run(command).exit).toMatchObject({ code: 0 });
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(logOf(command, 'stdout')).toBe('started\n');
  });

  it.each([
    ['bytes', { diskBytes: 100_000 }, 'disk'],
    ['files', { diskEntries: 5 }, 'files'],
  ])('with too many %s in out/ fails for this reason', async (_title, limit, killReason) => {
    const script = 'for i in 1 2 3 4 5 6 7 8; do head -c 20000 /dev/zero >out/$i; done';
    const exit = await executor.run(makeCommand(script, { limits: { ...DEFAULT_LIMITS, ...limit } })).exit;
    expect(exit).toMatchObject({ killReason });
  });

  it('with many inputs and outputs of some size gets and returns all of them', async () => {
    const command = makeCommand('cp -r in/. out/; head -c 30000000 /dev/urandom >out/large; cat out/large');
    for (let folder = 0; folder < 20; folder += 1) {
      mkdirSync(join(command.folders.input, String(folder)));
      for (let file = 0; file < 50; file += 1) writeFileSync(join(command.folders.input, `${folder}/${file}`), 'x');
    }
    expect(await executor.run(command).exit).toMatchObject({ code: 0 });
    expect(readdirSync(join(command.folders.output, '19'))).toHaveLength(50);
    const log = readFileSync(join(command.folders.step, 'stdout'));
    expect(log.equals(readFileSync(join(command.folders.output, 'large')))).toBe(true);
  });

  it('has no outputs if it puts a link in the place of their folder', async () => {
    const command = makeCommand('rmdir out; ln -s / out');
    expect(await executor.run(command).exit).toMatchObject({ code: 0 });
    expect(readdirSync(command.folders.output)).toEqual([]);
  });
});

describe('the API server', () => {
  it('has seen no argument and no variable of a command', async () => {
    const argv = ['sh', '-c', 'true', 'secret-argument'];
    await executor.run(makeCommand('', { argv, env: { TOKEN: 'secret-variable' } })).exit;
    expect(JSON.stringify(cluster.requests)).not.toMatch(/secret-(argument|variable)/);
  });

  it('has no Job of a command that has ended', async () => {
    await executor.run(makeCommand('true')).exit;
    await eventually(() => {
      expect(cluster.jobStore.list()).toEqual([]);
      expect(cluster.pods.size).toBe(0);
    });
  });
});
