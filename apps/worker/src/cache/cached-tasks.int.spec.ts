import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CachedResult } from '@millrace/contracts/runs/cache';
import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { type FileSet } from '@millrace/contracts/runs/files';
import { type FinishedReport } from '@millrace/contracts/runs/report';
import { type Scope, type Step, type StepInput } from '@millrace/graph/plan/plan';
import { LineIndexer } from '@millrace/graph/run/line-indexer';
import { encodeRanges } from '@millrace/graph/run/range-list';
import { sealFor } from '@millrace/messaging/crypto/sealed-box';
import { script, startWorker, type TestWorker } from '../testing/start-worker.js';
import { type OpenVariables } from '../variables/variable-source.js';
import { type FindCached } from './result-cache.js';

let worker: TestWorker;
let entries: Map<string, CachedResult>;
/** Keys of each request. */
let requests: string[][];

/** Replaces the runs service: finds the results that succeeded, as the engine does. */
const find: FindCached = async (_, keys) => {
  requests.push(keys);
  return keys.flatMap((key) => entries.get(key) ?? []);
};

beforeEach(() => {
  entries = new Map();
  requests = [];
});
afterEach(() => worker.end());

const start = async (findCached = find, unlock?: OpenVariables) => {
  worker = await startWorker({}, unlock, findCached);
};

/** Runs a dispatch to its end, and stores the results that may be reused. */
async function run(
  steps: Step[],
  more: Partial<DispatchPayload> = {},
  scopes: Scope[] = [],
): Promise<FinishedReport[]> {
  const before = worker.finished().length;
  await worker.core.execute(await worker.dispatch(steps, more, scopes));
  await worker.reported();
  const finished = worker.finished().slice(before);
  for (const [at, { cache, exitCode, message, outputs, stdout, stderr }] of finished.entries()) {
    if (!cache || cache.from !== null) continue;
    entries.set(cache.key, {
      ...{ key: cache.key, subjob: `${before + at + 1}` },
      exitCode,
      message,
      outputs,
      stdout,
      stderr,
    });
  }
  return finished;
}

const text = (value: string, param = 'x'): StepInput => ({
  ...{ param, source: null, type: 'STRING', order: 0, command: '', binding: { from: 'value', value } },
});
const from = (step: number): StepInput => ({
  ...{ param: 'f', source: `s${step}`, type: 'FILE', order: 0, command: null },
  binding: { from: 'step', step, port: 'file', gather: false },
});
/** Prints another text at each execution. */
const clock = (index: number, more: Partial<Step> = {}) =>
  script(index, 'date +%s.%N; date +%N >&2', { cache: true, ...more });
const hashOf = ({ outputs }: { outputs: FileSet }) => 'files' in outputs && outputs.files.map(({ sha256 }) => sha256);

/** Stores lines as the items of a split, with a task for each. */
async function splitLines(lines: string[]) {
  const content = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const indexer = new LineIndexer('line');
  indexer.push(content);
  const [items, index] = [await worker.store.put(content), await worker.store.put(encodeRanges(indexer.end()))];
  const tasks = lines.map((_, at) => ({ index: at + 1, attempt: 1, files: {}, recorded: [] }));
  return { items: { items: items.sha256, index: index.sha256, count: lines.length }, tasks };
}
const LINES: Scope[] = [{ index: 0, mode: 'line', splits: null, split: 0 }];
const item: StepInput = { ...text(''), binding: { from: 'item', scope: 0 } };

describe('a worker with a cache', () => {
  it('reuses the result of an earlier execution, with its logs, and executes nothing', async () => {
    await start();
    const [first] = await run([clock(0)]);
    const [second] = await run([clock(0)]);
    expect(first!.cache).toMatchObject({ from: null });
    expect(second).toMatchObject({
      ...{ outcome: 'succeeded', exitCode: 0, cpuMs: 0, cache: { key: first!.cache!.key, from: '1' } },
      ...{ outputs: first!.outputs, stdout: first!.stdout, stderr: first!.stderr },
    });
    expect(worker.reports.filter(({ type }) => type === 'started')).toHaveLength(1);
  });

  it('executes a step again if its cache is off, and offers no result', async () => {
    await start();
    const plain = clock(0, { cache: false });
    const [first, second] = [...(await run([plain])), ...(await run([plain]))];
    expect([first!.cache, second!.cache, requests]).toEqual([undefined, undefined, []]);
    expect(hashOf(second!)).not.toEqual(hashOf(first!));
  });

  it('executes a step if its run bypasses the cache, and offers the new result', async () => {
    await start();
    const [first] = await run([clock(0)]);
    const [second] = await run([clock(0)], { useCache: false });
    expect(second!.cache).toEqual(first!.cache);
    expect(hashOf(second!)).not.toEqual(hashOf(first!));
    expect(requests).toHaveLength(1);
  });

  it('uses the cache for every step if the run turns it on', async () => {
    await start();
    const plain = clock(0, { cache: false });
    await run([plain], { useCache: true });
    expect((await run([plain], { useCache: true }))[0]!.cache!.from).toBe('1');
  });

  it('offers no result of a failed step', async () => {
    await start();
    const [failed] = await run([script(0, 'exit 3', { cache: true })]);
    expect([failed!.outcome, failed!.cache]).toEqual(['failed', undefined]);
  });

  it('executes a changed step after a cached one, and reuses the step after it if the output is equal', async () => {
    await start();
    const chain = (source: string) => [
      script(0, 'echo same', { cache: true }),
      script(1, source, { cache: true, inputs: [from(0)] }),
      script(2, 'cat in/s1/output.txt; date +%N', { cache: true, inputs: [from(1)] }),
    ];
    await run(chain('cat in/s0/output.txt'));
    const again = await run(chain('cat <in/s0/output.txt'));
    expect(again.map(({ cache }) => cache!.from)).toEqual(['1', null, '3']);
    expect(await worker.text(again[1]!.outputs)).toBe('same\n');
  });

  it('looks up all children of a dispatch in one request, and executes the one that changed', async () => {
    await start();
    const step = clock(1, { scope: 0, inputs: [item] });
    const steps = [script(0, ''), step];
    const segment = { index: 0, steps: [1], scope: 0, needs: [] };
    const runLines = async (lines: string[]) => {
      const before = worker.finished().length;
      const payload = await worker.dispatch(steps, await splitLines(lines), LINES, { segments: [segment] });
      await worker.core.execute(payload);
      await worker.reported();
      return worker.finished().slice(before);
    };
    const first = await runLines(['a', 'b', 'c', 'd']);
    for (const [at, report] of first.entries()) {
      const { exitCode, message, outputs, stdout, stderr } = report;
      const { key } = report.cache!;
      entries.set(key, { key, subjob: `${at + 1}`, exitCode, message, outputs, stdout, stderr });
    }
    requests = [];
    const second = await runLines(['a', 'changed', 'c', 'd']);
    expect(second.map(({ cache, params }) => [params.x, cache!.from])).toEqual([
      ...[
        ['a', '1'],
        ['changed', null],
        ['c', '3'],
        ['d', '4'],
      ],
    ]);
    expect(requests.map((keys) => keys.length)).toEqual([4]);
  });

  it('executes a step whose cached outputs are missing in the store', async () => {
    await start();
    const [first] = await run([clock(0)]);
    const [deleted] = hashOf(first!) as string[];
    rmSync(worker.store.pathOf(deleted!));
    const [second] = await run([clock(0)]);
    expect([second!.outcome, second!.cache!.from]).toEqual(['succeeded', null]);
    expect(await run([clock(0)])).toMatchObject([{ cache: { from: '2' } }]);
  });

  it('executes steps while lookups fail, and does not look up each', async () => {
    let lookups = 0;
    await start(() => (lookups++, Promise.reject(new Error('The runs service is not there'))));
    for (let at = 0; at < 3; at++) expect(await run([clock(0)])).toMatchObject([{ outcome: 'succeeded' }]);
    expect(lookups).toBe(1);
  });

  it('reports an invalid input as it does without a cache', async () => {
    await start();
    const steps = [script(0, 'true', { cache: true, inputs: [text('a\0b')] })];
    expect(await run(steps)).toMatchObject([{ outcome: 'failed', message: expect.stringContaining('NUL') }]);
  });
});

describe('a worker with a cache and secrets', () => {
  const unlocks =
    (values: Record<string, string>, vault = 'v'): OpenVariables =>
    async (_, recipient) => {
      const digests = Object.entries(values).map(([name, value]) => [name, `${vault} ${value.length} ${value.at(-1)}`]);
      return {
        ...{ sealed: sealFor(recipient, JSON.stringify(values)), missing: [], plain: {} },
        digests: { salt: vault, values: Object.fromEntries(digests) as Record<string, string> },
      };
    };
  let current: OpenVariables;
  const begin = () => start(find, (dispatch, recipient) => current(dispatch, recipient));
  const printToken = script(0, 'printf "%s" "$1"; date +%N >&2', { cache: true, inputs: [text('<${{vars.TOKEN}}>')] });
  let number = 0;
  /** In a run of its own, so that its variables are requested again. */
  const runWith = (values: Record<string, string>, vault?: string) => {
    current = unlocks(values, vault);
    return run([printToken], { run: `${++number}` });
  };

  it('reuses a result for the same value, with its masked copy', async () => {
    await begin();
    const [first] = await runWith({ TOKEN: 'hunter22-1' });
    const [second] = await runWith({ TOKEN: 'hunter22-1' });
    expect(second!.cache!.from).toBe('1');
    expect(second!.outputs).toEqual(first!.outputs);
    expect('files' in second!.outputs && second!.outputs.files[0]).toHaveProperty('shown');
    expect(second!.params).toEqual({ x: '<***>' });
    expect(JSON.stringify([worker.reports, requests])).not.toContain('hunter22');
  });

  it('executes the step again for another value, or in another vault', async () => {
    await begin();
    await runWith({ TOKEN: 'hunter22-1' });
    const [changed] = await runWith({ TOKEN: 'hunter22-2' });
    const [otherVault] = await runWith({ TOKEN: 'hunter22-1' }, 'another vault');
    expect([changed!.cache!.from, otherVault!.cache!.from]).toEqual([null, null]);
    expect(await worker.text(changed!.outputs)).toBe('<hunter22-2>');
  });

  it('caches nothing without digests of the secrets', async () => {
    await start(find, async (_, recipient) => {
      return { sealed: sealFor(recipient, JSON.stringify({ TOKEN: 'hunter22-1' })), missing: [], plain: {} };
    });
    const [report] = await run([printToken]);
    expect([report!.outcome, report!.cache, requests]).toEqual(['succeeded', undefined, []]);
  });
});
