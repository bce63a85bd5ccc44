import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { type Plan, type Step, type StepInput } from '@millrace/graph/plan/plan';
import { sealFor } from '@millrace/messaging/crypto/sealed-box';
import { script, startWorker, type TestWorker } from '../testing/start-worker.js';
import { type OpenVariables } from './variable-source.js';

const TOKEN = 'hunter22-äß-token';
const BASE64 = Buffer.from(TOKEN).toString('base64');

let worker: TestWorker;
let requests: string[];
afterEach(() => worker.end());

const unlocks =
  (values: Record<string, string>): OpenVariables =>
  async (dispatch, recipient) => {
    requests.push(dispatch);
    return { sealed: sealFor(recipient, JSON.stringify(values)), missing: [], plain: { RUN_ID: '1' } };
  };

const start = async (unlock: OpenVariables = unlocks({ TOKEN }), env: Record<string, string> = {}) => {
  requests = [];
  worker = await startWorker(env, unlock);
};
const run = async (steps: Step[], more: Partial<DispatchPayload> = {}, plan: Partial<Plan> = {}) => {
  await worker.core.execute(await worker.dispatch(steps, more, [], plan));
  await worker.reported();
};

const text = (param: string, binding: StepInput['binding']): StepInput => ({
  ...{ param, source: null, type: 'STRING', order: 0, command: '', binding },
});
const written = (value: string) => text('x', { from: 'value', value });
const from = (step: number): StepInput => ({
  ...{ param: 'f', source: `s${step}`, type: 'FILE', order: 0, command: null },
  binding: { from: 'step', step, port: 'file', gather: false },
});
const logOf = async (at: number, stream: 'stdout' | 'stderr' = 'stdout') => {
  const log = worker.finished()[at]?.[stream];
  return log ? (await worker.store.readAll(log.sha256)).toString() : '';
};
const spares = () =>
  readdirSync(join(worker.core.folder, 'spare'), { withFileTypes: true }).filter((entry) => entry.isFile());
const task = (index: number, more = {}) => ({ index, attempt: 1, files: {}, recorded: [], ...more });

describe.each(['required', 'off'])('a worker with variables, isolation %s', (isolation) => {
  const begin = (unlock?: OpenVariables) => start(unlock, { WORKER_ISOLATION: isolation });

  it('passes them to inputs and the environment, and shows them nowhere', async () => {
    await begin();
    const environment = { SECRET: 'Bearer ${{vars.TOKEN}}', RUN: '${{ vars.RUN_ID }}' };
    const source = 'printf "%s|%s|%s|" "$1" "$SECRET" "$RUN"; printf %s "$1" | base64; echo "$1" >&2; echo "$1" >out/a';
    await run([script(0, `${source}; exit 3`, { inputs: [written('<${{vars.TOKEN}}>')], environment })]);
    const [report] = worker.finished();
    expect(await logOf(0)).toBe('<***>|Bearer ***|1|PG***4+\n');
    expect(await logOf(0, 'stderr')).toBe('<***>\n');
    expect(report).toMatchObject({ params: { x: '<***>' }, message: 'exit code 3: <***>' });
    expect(JSON.stringify(worker.reports)).not.toContain('hunter22');
  });

  it('gives later steps the unmasked bytes, and users a masked copy', async () => {
    await begin();
    await run([
      script(0, 'printf "a %s b" "$1"; printf %s "$1" >out/only; echo none >out/none', {
        inputs: [written('${{vars.TOKEN}}')],
      }),
      script(1, 'sha256sum <in/s0/output.txt; cat in/s0/output.txt', { inputs: [from(0)] }),
    ]);
    const [first, second] = worker.finished();
    const files = 'files' in first!.outputs ? first!.outputs.files : [];
    const shown = async (path: string) => {
      const file = files.find((one) => one.path === path);
      return file?.shown && (await worker.store.readAll(file.shown.sha256)).toString();
    };
    expect(await shown('output.txt')).toBe('a *** b');
    expect(await shown('only')).toBe('***');
    expect(await shown('none')).toBeUndefined();
    const hash = createHash('sha256').update(`a ${TOKEN} b`).digest('hex');
    expect(await worker.text(first!.outputs)).toBe(`a ${TOKEN} b`);
    expect(await worker.text(second!.outputs)).toBe(`${hash}  -\na ${TOKEN} b`);
    expect(await logOf(1)).toBe(`${hash}  -\na *** b`);
  });

  it('masks a running log, with the same offsets as in the stored log', async () => {
    await begin();
    const half = TOKEN.slice(0, 8);
    const source = `echo begin; printf "%s" "\${1:0:8}"; sleep 0.6; printf "%s\\n" "\${1:8}"; echo ${BASE64} | fold -w 7; sleep 0.6; echo end`;
    const done = run([script(0, source, { inputs: [written('${{vars.TOKEN}}')] })]);
    const read = async (offset: number) => {
      const request = { run: '1', step: 0, task: 0, stream: 'stdout' as const, offset, waitMs: 200 };
      const part = await worker.core.readLog(request);
      return { state: part.state, text: Buffer.from(part.chunk, 'base64').toString() };
    };
    let seen = '';
    for (let state = 'unknown'; state !== 'ended';) {
      const part = await read(Buffer.byteLength(seen));
      // Before the step begins, responses come without a wait; a loop of them alone would keep it from beginning.
      if (part.state === 'unknown') await sleep(10);
      seen += part.text;
      state = part.state;
      expect(seen).not.toContain(half);
      const again = await read(0);
      if (again.state === 'running') expect(again.text.startsWith(seen) || seen.startsWith(again.text)).toBe(true);
    }
    await done;
    expect(seen).toBe('begin\n***\n***\nend\n');
    expect(seen).toBe(await logOf(0));
  });

  it('fails every task whose step names an undefined variable', async () => {
    await begin();
    const steps = [
      script(0, 'echo "$1"', { inputs: [text('x', { from: 'item', scope: 0 }), written('${{vars.NOPE}}')] }),
    ];
    await run(
      steps.map((step) => ({ ...step, inputs: step.inputs.slice(1) })),
      { tasks: [task(1), task(2)] },
    );
    expect(worker.finished().map(({ message, outcome }) => [message, outcome])).toEqual(
      Array(2).fill(['the secret variable NOPE is not defined', 'failed']),
    );
  });

  it('replaces them in defaults of inputs, and never in inputs of the run', async () => {
    await begin();
    const primitives: Plan['primitives'] = { p: { type: 'STRING', label: 'p', value: '${{vars.TOKEN}}' } };
    const steps = [
      script(0, 'printf %s "$1" | wc -c; echo "$1"', { inputs: [text('x', { from: 'primitive', primitive: 'p' })] }),
    ];
    await run(steps, { inputs: { p: '${{vars.TOKEN}}' } }, { primitives });
    await run(steps, { inputs: { p: 'x${{vars.TOKEN}}' } }, { primitives });
    expect(await logOf(0)).toBe(`${Buffer.byteLength(TOKEN)}\n***\n`);
    expect(await logOf(1)).toBe('16\nx${{vars.TOKEN}}\n');
  });

  it('distinguishes variables of one name by space, and masks both in every step', async () => {
    const other = 'swordfish-of-s3';
    await begin(unlocks({ TOKEN, 's3/TOKEN': other }));
    const both = [
      { ...written('${{vars.TOKEN}}'), order: 1 },
      { ...text('y', { from: 'value', value: '${{vars.TOKEN}}', space: 's3' }), order: 2 },
      { ...text('z', { from: 'primitive', primitive: 'p' }), order: 3 },
    ];
    const source = 'for value in "$1" "$2" "$3" "$E"; do printf %s "$value" | wc -c; done; echo "$1 $2"';
    const steps = [
      script(0, source, { inputs: both, environment: { E: '${{vars.TOKEN}}' }, space: 's3' }),
      script(1, `echo ${TOKEN} ${other}`),
    ];
    const primitives: Plan['primitives'] = { p: { type: 'STRING', label: '', value: '${{vars.TOKEN}}', space: 's3' } };
    await run(steps, { inputs: { p: '${{vars.TOKEN}}' } }, { primitives, format: 2 });
    const [own, foreign] = [Buffer.byteLength(TOKEN), Buffer.byteLength(other)];
    expect(await logOf(0)).toBe(`${own}\n${foreign}\n${foreign}\n${foreign}\n*** ***\n`);
    expect(await logOf(1)).toBe('*** ***\n');
    expect(JSON.stringify(worker.reports)).not.toMatch(/hunter22|swordfish/);
  });

  it('fails a step with an output file that has the value of a secret as its name', async () => {
    await begin();
    await run([script(0, 'touch "out/$1"', { inputs: [written('${{vars.TOKEN}}')] })]);
    expect(worker.finished()[0]).toMatchObject({ outcome: 'failed', message: expect.stringMatching(/name of a file/) });
    expect(JSON.stringify(worker.reports)).not.toContain('hunter22');
  });
});

describe('files of a step with variables', () => {
  it('are not recycled', async () => {
    await start(unlocks({ TOKEN }), { WORKER_ISOLATION: 'off' });
    const source = 'printf %s "$1" | tee out/output.txt';
    const steps = [
      script(0, source, { inputs: [written('${{vars.TOKEN}}')] }),
      script(1, 'true', { inputs: [from(0)] }),
    ];
    await run(steps);
    expect(spares()).toEqual([]);
    await run([script(0, 'echo plain'), script(1, 'true', { inputs: [from(0)] })]);
    expect(spares().length).toBeGreaterThan(0);
  });
});

describe('a request for variables', () => {
  it('is sent once for each run, and not at all if the plan names no variables', async () => {
    await start();
    await run([script(0, 'true')]);
    expect(requests).toEqual([]);
    for (let at = 0; at < 3; at++) await run([script(0, 'true', { inputs: [written('${{vars.TOKEN}}')] })]);
    expect(requests).toHaveLength(1);
  });

  it('returns the tasks if another worker has the dispatch', async () => {
    await start(() => Promise.reject(new ApiError('not_found', 'Dispatch not found')));
    await expect(run([script(0, 'true', { inputs: [written('${{vars.TOKEN}}')] })])).rejects.toThrow('not found');
    await worker.reported();
    expect(worker.reports.map(({ type }) => type)).toEqual(['returned', 'closed']);
  });

  it('fails all steps of the run if it fails permanently, because their outputs would not be masked', async () => {
    await start(() => Promise.reject(new ApiError('validation_error', 'too large')));
    await run([script(0, 'echo ran'), script(1, 'true', { inputs: [written('${{vars.TOKEN}}')] })]);
    expect(worker.finished().map(({ outcome, message, stdout }) => [outcome, message, stdout])).toEqual([
      ['failed', 'the secret variables of the run are not available: too large', null],
    ]);
  });

  it('is retried if the service is unavailable', async () => {
    let attempts = 0;
    await start(async (dispatch, recipient) => {
      if (++attempts < 3) throw new ApiError('internal_error', 'The workflows service is not there');
      return unlocks({ TOKEN })(dispatch, recipient);
    });
    await run([script(0, 'echo "$1"', { inputs: [written('${{vars.TOKEN}}')] })]);
    expect([attempts, await logOf(0)]).toEqual([3, '***\n']);
  });
});

describe('a step that ends while it prints a secret value', () => {
  it.each([
    ['by a signal', 'kill -9 $$'],
    ['by its timeout', 'sleep 20'],
  ])('shows no beginning of it if it ends %s', async (_, end) => {
    await start();
    const source = `printf "say %s" "\${1:0:10}"; printf "say %s" "\${1:0:10}" >&2; ${end}`;
    const more = { inputs: [written('${{vars.TOKEN}}')], timeoutSeconds: 1 };
    await run([script(0, source, more)]);
    expect([await logOf(0), await logOf(0, 'stderr')]).toEqual(['say ', 'say ']);
    expect(JSON.stringify(worker.reports)).not.toContain('hunter');
  });
});
