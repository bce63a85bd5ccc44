import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { reportBatch } from '@millrace/contracts/runs/report';
import { type Step, type StepInput } from '@millrace/graph/plan/plan';
import { script, startWorker, type TestWorker } from '../testing/start-worker.js';

let worker: TestWorker;
afterEach(async () => {
  expect(reportBatch.parse({ worker: worker.core.id, reports: worker.reports }).reports).toEqual(worker.reports);
  await worker.end();
});

const input = (param: string, binding: StepInput['binding'], more: Partial<StepInput> = {}): StepInput => {
  const source = binding.from === 'step' ? `s${binding.step}` : null;
  return { param, source, type: 'FILE', order: 0, command: null, binding, ...more };
};
const from = (step: number, port: 'file' | 'folder' = 'file', gather = false) =>
  input('x', { from: 'step', step, port, gather }, { type: port === 'file' ? 'FILE' : 'FOLDER' });
const task = (index: number, more = {}) => ({ index, attempt: 1, files: {}, recorded: [], ...more });

const run = async (steps: Step[], more = {}, scopes: Parameters<TestWorker['dispatch']>[2] = []) => {
  await worker.core.execute(await worker.dispatch(steps, more, scopes));
  await worker.reported();
};

describe.each(['required', 'off'])('a worker, isolation %s', (isolation) => {
  const start = async (env = {}) => (worker = await startWorker({ WORKER_ISOLATION: isolation, ...env }));

  it('runs a chain step by step and reports each as it ends', async () => {
    await start();
    const steps = [
      script(0, 'echo one'),
      script(1, 'cat in/s0/output.txt; echo two', { inputs: [from(0)] }),
      script(2, 'cat in/*/*; ls -A', { inputs: [from(1)] }),
    ];
    await run(steps);
    expect(worker.reports.map((report) => report.type)).toEqual([
      'started',
      'finished',
      'started',
      'finished',
      'started',
      'finished',
      'closed',
    ]);
    const last = worker.finished()[2];
    expect(last).toMatchObject({
      outcome: 'succeeded',
      exitCode: 0,
      message: null,
      params: { 'x/s1': 'in/s1/output.txt' },
    });
    expect(await worker.text(last!.outputs)).toBe('one\ntwo\nin\nout\nscript.sh\n');
    expect(last!.stdout).toEqual({ sha256: expect.any(String), size: 25, truncated: false });
    expect(last!.cpuMs).toBeGreaterThan(0);
  });

  it('passes inputs to a script as arguments and files, and stores the standard output of a tool', async () => {
    await start();
    const tool = script(1, '', {
      type: 'TOOL',
      program: {
        kind: 'command',
        image: null,
        command: ['cat'],
        args: ['-n'],
        outputCommand: '>',
        outputParameter: null,
      },
      inputs: [{ ...from(0), command: '' }],
    });
    const inputs = [
      input('a', { from: 'value', value: 'x y; $(z)' }, { type: 'STRING', command: '--a' }),
      input('f', { from: 'primitive', primitive: 'p' }, { source: 'p' }),
    ];
    await run([script(0, 'echo "$@"; cat in/p/data.txt', { inputs }), tool], {
      inputs: { p: await worker.file('folder/data.txt', 'data\n') },
    });
    expect(await worker.text(worker.finished()[1]!.outputs)).toBe('     1\t--a x y; $(z)\n     2\tdata\n');
  });

  it('skips recorded steps and takes their outputs from the task', async () => {
    await start();
    const files = { 0: { files: [await worker.file('output.txt', 'earlier\n')] } };
    await run([script(0, 'echo never'), script(1, 'cat in/s0/output.txt', { inputs: [from(0)] })], {
      tasks: [task(0, { files, recorded: [0], attempt: 2 })],
    });
    expect(worker.finished()).toHaveLength(1);
    expect(worker.finished()[0]).toMatchObject({ step: 1, attempt: 2 });
    expect(await worker.text(worker.finished()[0]!.outputs)).toBe('earlier\n');
  });

  it('ends a task at its first failure, reports the reason, and runs the next task', async () => {
    await start();
    await run([script(0, 'echo "bad thing" >&2; exit 3'), script(1, 'echo never')], { tasks: [task(1), task(2)] });
    expect(worker.finished()).toHaveLength(2);
    expect(worker.finished()[1]).toMatchObject({
      task: 2,
      outcome: 'failed',
      exitCode: 3,
      message: 'exit code 3: bad thing',
      outputs: { files: [] },
    });
    expect((await worker.store.readAll(worker.finished()[0]!.stderr!.sha256)).toString()).toBe('bad thing\n');
  });

  it.each([
    ['its timeout', 5, { outcome: 'failed', message: 'timed out after 5 s', exitCode: 0 }],
    ['a cancellation', null, { outcome: 'stopped', message: null, exitCode: 0 }],
  ])('ends a step at %s while its outputs are collected', async (_case, timeoutSeconds, ending) => {
    await start({ WORKER_MAX_DISK: '1T' });
    // A few processes, which end long before the timeout, and files that take a minute to hash.
    const source = 'truncate -s 4G out/f{1..40}; ln -s f1 out/l1; echo "done"';
    const payload = await worker.dispatch([script(0, source, { timeoutSeconds })]);
    const running = worker.core.execute(payload);
    if (timeoutSeconds === null) {
      await sleep(3_000);
      worker.core.cancel({ dispatches: [payload.dispatch] });
    }
    await running;
    await worker.reported();
    expect(worker.finished()).toMatchObject([{ ...ending, outputs: { files: [] }, stdout: { size: 5 } }]);
    expect(readdirSync(join(worker.folder, 'store', 'tmp'))).toEqual([]);
  });

  it('fails a step whose outputs are too large to be stored, even if they use little disk', async () => {
    await start({ WORKER_MAX_DISK: '1G' });
    await run([script(0, 'truncate -s 300M out/f; for i in $(seq 60); do ln -s f out/l$i; done')]);
    const message = `out/ contains more than ${2 ** 30} bytes`;
    expect(worker.finished()).toMatchObject([{ outcome: 'failed', message, outputs: { files: [] } }]);
  });

  it('splits by lines, batches and files, and passes each child its own item', async () => {
    await start();
    const p = await worker.file('list', 'a\r\n\nb\nc');
    const split = (mode: 'line' | 'batch' | 'file', splits: number | null) => ({
      step: script(0, '', {
        type: 'SPLIT',
        program: { kind: 'split' },
        inputs: [input('x', { from: 'primitive', primitive: 'p' }, { source: 'p' })],
      }),
      scope: { index: 0, mode, splits, split: 0 },
    });
    const children: Record<string, string[]> = {};
    for (const [mode, splits] of [
      ['line', null],
      ['batch', 2],
      ['file', null],
    ] as const) {
      const { step, scope } = split(mode, splits);
      await run([step], { inputs: { p } }, [scope]);
      const items = worker.finished().at(-1)!.split!;
      const child = script(1, mode === 'line' ? 'printf "%s|" "$@"' : 'cat in/p/*', {
        scope: 0,
        inputs: [
          input('x', { from: 'item', scope: 0 }, mode === 'line' ? { type: 'STRING', command: '' } : { source: 'p' }),
        ],
      });
      const tasks = Array.from({ length: items.count }, (_, index) => task(index + 1));
      const payload = await worker.dispatch([step, child], { items, tasks }, [scope]);
      await worker.core.execute({ ...payload, tasks: tasks.map((one) => ({ ...one, recorded: [0] })) });
      await worker.reported();
      children[mode] = await Promise.all(
        worker
          .finished()
          .slice(-items.count)
          .map((report) => worker.text(report.outputs)),
      );
    }
    expect(children).toEqual({ line: ['a|', 'b|', 'c|'], batch: ['a\r\n\n', 'b\nc'], file: ['a\r\n\nb\nc'] });
  });

  it('splits several sources as one file, with a line end between them', async () => {
    await start();
    const shared = {
      5: {
        files: [
          await worker.file('1/output.txt', 'a\nb'),
          await worker.file('2/output.txt', 'c\n'),
          await worker.file('2/other', 'no'),
        ],
      },
    };
    const step = script(0, '', { type: 'SPLITTER', program: { kind: 'split' }, inputs: [from(5, 'file', true)] });
    await run([step], { shared }, [{ index: 0, mode: 'line', splits: null, split: 0 }]);
    const { items, count } = worker.finished()[0]!.split!;
    expect([count, (await worker.store.readAll(items)).toString()]).toEqual([3, 'a\nb\nc\n']);
  });

  it('gathers the outputs of all children of a step from a manifest', async () => {
    await start();
    const files = await Promise.all(
      Array.from({ length: 150 }, (_, index) => worker.file(`${index + 1}/output.txt`, `${index + 1}\n`)),
    );
    const lines = files.map((file) => `${JSON.stringify(file)}\n`).join('');
    const { sha256 } = await worker.store.put(Buffer.from(lines));
    const steps = [
      script(
        1,
        'find in -type f | wc -l; cat $(ls -v in/s0/*/output.txt) | tail -1; mkdir out/d; for i in $(seq 150); do echo $i > out/d/$i; done',
        { inputs: [from(0, 'folder', true)] },
      ),
    ];
    await run([script(0, ''), ...steps], {
      shared: { 0: { manifest: sha256, count: 150 } },
      tasks: [task(0, { recorded: [0] })],
    });
    const report = worker.finished()[0]!;
    expect(report).toMatchObject({ outcome: 'succeeded', outputs: { count: 151 } });
    expect((await worker.store.readAll(report.stdout!.sha256)).toString()).toBe('150\n150\n');
  });

  it('ends a step at its timeout', async () => {
    await start();
    await run([script(0, 'echo begun; sleep 60', { timeoutSeconds: 1 })]);
    expect(worker.finished()[0]).toMatchObject({
      outcome: 'failed',
      message: 'timed out after 1 s',
      stdout: { size: 6 },
    });
  });

  it('stops a cancelled task, returns tasks that have not begun, and reads the log of a running task', async () => {
    await start();
    const payload = await worker.dispatch([script(0, 'echo begun; sleep 60; echo never')], {
      tasks: [task(1), task(2)],
    });
    const ended = worker.core.execute(payload);
    const logRequest = { run: '1', step: 0, task: 1, stream: 'stdout', offset: 0, waitMs: 3000 } as const;
    while ((await worker.core.readLog(logRequest)).state === 'unknown') await sleep(10);
    expect(await worker.core.readLog(logRequest)).toEqual({ state: 'running', chunk: btoa('begun\n') });
    expect(worker.core.heartbeat()).toMatchObject({ worker: worker.core.id, slots: 2, dispatches: [payload.dispatch] });
    worker.core.cancel({ dispatches: [payload.dispatch] });
    await ended;
    await worker.reported();
    expect(worker.reports.map((report) => report.type)).toEqual(['started', 'returned', 'finished', 'closed']);
    expect(worker.finished()[0]).toMatchObject({ task: 1, outcome: 'stopped', stdout: { size: 6 } });
    expect(await worker.core.readLog(logRequest)).toEqual({ state: 'ended', chunk: btoa('begun\n'), offset: 0 });
  });

  it('returns the tasks that wait for a long one', async () => {
    await start();
    await run([script(0, 'sleep 2.5')], { tasks: [task(1), task(2), task(3)] });
    expect(worker.reports).toContainEqual({ type: 'returned', dispatch: 'd-1', tasks: [2, 3] });
    expect(worker.finished()).toHaveLength(1);
  });

  it('stores no file outside of out/ that a link, a pipe or a replaced folder leads to', async () => {
    await start();
    await run([
      script(
        0,
        'ln -s /etc/passwd out/a; ln -s real out/b; ln -s $PWD/out/real out/c; ln -s ../script.sh out/d; ln -s . out/e; mkfifo out/p; echo x > out/real; ln -s nowhere out/f',
      ),
    ]);
    const files = (worker.finished()[0]!.outputs as { files: { path: string }[] }).files.map((file) => file.path);
    expect(files).toEqual(['b', 'c', 'real']);
    expect(worker.finished()[0]!.message).toBe(
      '5 entries of out/ were left out: links that lead out of it, pipes or devices',
    );
    await run([script(0, 'rmdir out; ln -s /etc out'), script(1, 'ls out')]);
    expect(worker.finished()[1]).toMatchObject({ outcome: 'failed', message: 'out/ is no longer a folder' });
    await run([script(0, 'rm -rf out; echo fine')]);
    expect(await worker.text(worker.finished()[2]!.outputs)).toBe('fine\n');
  });

  it('gives every step an empty, writable out/, even if the step before made it unreadable', async () => {
    await start({ WORKER_SLOTS: '1' });
    const source = 'ls -A out; echo x > out/x; mkdir -p out/d/e; ln -s x out/l; chmod 0 out';
    await run([
      script(0, source),
      script(1, 'ls -A out; echo y > out/y; chmod 0 out'),
      script(2, 'ls -A out; : > out/z'),
    ]);
    expect(worker.finished().map(({ outcome, stdout }) => [outcome, stdout])).toEqual(
      Array.from({ length: 3 }, () => ['succeeded', null]),
    );
  });

  it('fails a step that nests folders deeper than the longest path, and runs the next step', async () => {
    await start({ WORKER_SLOTS: '1' });
    const nest = `cd out; d=a$(printf '😀%.0s' $(seq 40)); for i in $(seq 30); do mkdir $d; cd $d; done; echo hi > f`;
    await run([script(0, nest)]);
    expect(worker.finished()[0]!.message).toContain('out/ contains a path longer than 1024 characters');
    await run([script(0, 'ls -A out; echo fine')]);
    expect(await worker.text(worker.finished()[1]!.outputs)).toBe('fine\n');
  });

  it('refuses file names that are not UTF-8, and cuts messages between characters', async () => {
    await start();
    await run([script(0, "touch out/$'\\xed\\xa0\\x80'")]);
    expect(worker.finished()[0]!.message).toContain('not UTF-8');
    await run([script(0, "printf '😀%.0s' $(seq 600) >&2; exit 1")]);
    await run([script(0, "printf 'x'>&2; printf '😀%.0s' $(seq 600) >&2; exit 1")]);
    expect(worker.finished().map(({ message }) => message?.isWellFormed())).toEqual([true, true, true]);
  });

  it('fails only the child whose item cannot be an argument', async () => {
    await start();
    const { sha256: items } = await worker.store.put(Buffer.from('a\0bc'));
    const ranges = Buffer.from(new BigUint64Array([0n, 3n, 3n, 1n]).buffer);
    const { sha256: index } = await worker.store.put(ranges);
    const child = script(0, 'echo "$@"', {
      scope: 0,
      inputs: [input('x', { from: 'item', scope: 0 }, { type: 'STRING', command: '' })],
    });
    const split = { items: { items, index, count: 2 }, tasks: [task(1), task(2)] };
    await run([child], split, [{ index: 0, mode: 'line', splits: null, split: 9 }]);
    expect(worker.finished().map(({ outcome, message }) => [outcome, message])).toEqual([
      ['failed', 'input x: the item contains a NUL character'],
      ['succeeded', null],
    ]);
  });

  it('stores binary output unchanged, and the beginning and the end of a log that is too long', async () => {
    await start();
    await run([script(0, 'printf "\\0\\377\\n\\200"; (echo begin; head -c 17000000 /dev/zero; echo end) >&2')]);
    const [report] = worker.finished();
    expect(await worker.store.readAll(report!.stdout!.sha256)).toEqual(Buffer.from([0, 255, 10, 128]));
    const [MIB, total] = [1024 * 1024, 17_000_010];
    expect(report!.stderr).toMatchObject({ size: 16 * MIB, truncated: true, head: 4 * MIB, total });
    const stored = (await worker.store.readAll(report!.stderr!.sha256)).toString();
    expect([stored.slice(0, 6), stored.slice(-4)]).toEqual(['begin\n', 'end\n']);
  });

  it('keeps all of a log that is an output as well', async () => {
    await start();
    await run([script(0, 'head -c 17000000 /dev/zero')]);
    const [report] = worker.finished();
    expect(report!.stdout).toMatchObject({ size: 17_000_000, truncated: false });
  });

  it('reports which limit a step exceeded', async () => {
    await start({ WORKER_MAX_FILE: '1M', WORKER_MAX_DISK: '20M' });
    await run([script(0, 'cat /dev/zero > out/x')]);
    expect(worker.finished()[0]).toMatchObject({ outcome: 'failed', message: 'wrote a file larger than 1 MiB' });
    await run([script(0, 'i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > out/$i; done')]);
    expect(worker.finished()[1]).toMatchObject({ outcome: 'failed', message: 'wrote more than 20 MiB in all' });
  });

  it('names the output file that a step did not write', async () => {
    await start();
    await run([script(0, ''), script(1, 'echo never', { inputs: [from(0)] })], { tasks: [task(0, { recorded: [0] })] });
    expect(worker.finished()[0]!.message).toContain('wrote no out/output.txt');
  });
});

it('reports the usage of a step whose outputs cannot be stored, with a message that contains no path', async () => {
  worker = await startWorker({ WORKER_ISOLATION: 'off' });
  const store = join(worker.folder, 'store');
  const busy = `while [ -d '${store}' ]; do :; done`;
  const ended = run([script(0, `${busy}; echo done; echo x > out/file`)]);
  while (worker.reports.length === 0) await sleep(10);
  rmSync(store, { recursive: true });
  writeFileSync(store, '');
  await ended;
  const [report] = worker.finished();
  expect(report).toMatchObject({ outcome: 'failed', exitCode: 0, stdout: null, outputs: { files: [] } });
  expect(report!.cpuMs).toBeGreaterThan(0);
  expect(report!.message).toBe('the outputs of the step could not be stored; the log of the worker has the details');
});
