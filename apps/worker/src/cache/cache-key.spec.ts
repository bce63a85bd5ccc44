import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CACHE_PARTS, type CachePart } from '@millrace/contracts/runs/cache';
import { type Program, type Step, type StepInput } from '@millrace/graph/plan/plan';
import { type InputEntry } from '../inputs/input-list.js';
import { type ResolvedInputs } from '../inputs/resolve-inputs.js';
import { script } from '../testing/start-worker.js';
import { NO_VARIABLES, createRunVariables, withheld, type RunVariables } from '../variables/run-variables.js';
import { cacheKey } from './cache-key.js';

const sha = (digit: string) => digit.repeat(64);
const text = (param: string, more: Partial<StepInput> = {}): StepInput => ({
  ...{ param, source: null, type: 'STRING', order: 0, command: '', binding: { from: 'value', value: '' } },
  ...more,
});
const variables = (secrets: Record<string, string>, vault = 'vault 1') =>
  createRunVariables(new Map(Object.entries(secrets)), new Map(), {
    salt: vault,
    values: Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, `${vault}: digest of ${value}`])),
  });

interface KeyInput {
  step: Step;
  inputs: ResolvedInputs;
  variables: RunVariables;
  runner: string[];
}
type Change = (base: KeyInput) => Partial<KeyInput>;

const tool: Program = {
  ...{ kind: 'command', image: 'debian:12', command: ['sort'], args: ['-u'] },
  ...{ outputCommand: '-o', outputParameter: null },
};
const base: KeyInput = {
  step: script(0, 'cat in/*/*', { inputs: [text('a'), text('b')], environment: { LANG: 'C', MODE: 'fast' } }),
  inputs: {
    values: { a: 'one', b: 'two' },
    written: {},
    environment: { LANG: 'C', MODE: 'fast' },
    entries: [
      { kind: 'folder', path: 's0' },
      { kind: 'file', path: 's0/a.txt', file: { sha256: sha('a'), size: 3 } },
      { kind: 'content', path: 's1/line.txt', content: Buffer.from('a line') },
    ],
  },
  variables: NO_VARIABLES,
  runner: ['sandbox'],
};
const keyOf = async (change: Change = () => ({})) => {
  const { step, inputs, ...context } = { ...base, ...change(base) };
  const key = await cacheKey(step, inputs, context);
  if (key === null) throw new Error('There is no key');
  return key;
};
const program = (change: Partial<Extract<Program, { kind: 'script' }>>): Change => {
  return ({ step }) => ({ step: { ...step, program: { ...step.program, ...change } as Program } });
};
const step =
  (change: Partial<Step>): Change =>
  (input) => ({ step: { ...input.step, ...change } });
const inputs =
  (change: Partial<ResolvedInputs>): Change =>
  (input) => ({ inputs: { ...input.inputs, ...change } });
const entries = (change: (entries: InputEntry[]) => InputEntry[]): Change =>
  inputs({ entries: change([...base.inputs.entries]) });
const secret =
  (value: string, from: Change = () => ({})): Change =>
  (input) => ({
    ...inputs({ values: { a: value, b: 'two' }, written: { a: { text: '${{vars.TOKEN}}' } } })(input),
    variables: variables({ TOKEN: value }),
    ...from(input),
  });

describe('the key of a cached result', () => {
  const different: [string, CachePart, Change][] = [
    ['the source of a script', 'program', program({ source: 'cat in/*/* ' })],
    ['its language', 'program', program({ language: 'python' })],
    ['its fixed arguments', 'program', program({ args: ['-x'] })],
    ['a tool in its place', 'program', step({ program: tool })],
    ['access to the network', 'program', step({ network: true })],
    ['an argument', 'arguments', inputs({ values: { a: 'one', b: 'three' } })],
    ['a flag', 'arguments', step({ inputs: [text('a', { command: '-a' }), text('b')] })],
    ['the order of arguments', 'arguments', step({ inputs: [text('b'), text('a')] })],
    ['the border between two arguments', 'arguments', inputs({ values: { a: 'onet', b: 'wo' } })],
    ['a missing argument', 'arguments', inputs({ values: { a: 'one' } })],
    ['the value of an environment variable', 'environment', step({ environment: { LANG: 'C', MODE: 'slow' } })],
    ['the name of an environment variable', 'environment', step({ environment: { LANG: 'C', MODUS: 'fast' } })],
    [
      'the content of a file',
      'inputs',
      entries(([folder, , line]) => [
        folder!,
        { kind: 'file', path: 's0/a.txt', file: { sha256: sha('b'), size: 3 } },
        line!,
      ]),
    ],
    [
      'the path of a file',
      'inputs',
      entries(([folder, , line]) => [
        folder!,
        { kind: 'file', path: 's0/b.txt', file: { sha256: sha('a'), size: 3 } },
        line!,
      ]),
    ],
    ['one file less', 'inputs', entries((all) => all.slice(0, 2))],
    ['an empty folder more', 'inputs', entries((all) => [...all, { kind: 'folder', path: 's2' }])],
    [
      'the line of a child',
      'inputs',
      entries((all) => [...all.slice(0, 2), { kind: 'content', path: 's1/line.txt', content: Buffer.from('another') }]),
    ],
    ['the isolation of the worker', 'runner', () => ({ runner: ['off'] })],
    ['an image in its place', 'runner', () => ({ runner: ['docker', 'debian:12'] })],
  ];
  it.each(different)('differs with %s, in its part "%s"', async (_, part, change) => {
    const [original, key] = [await keyOf(), await keyOf(change)];
    expect(key.key).not.toBe(original.key);
    expect(CACHE_PARTS.filter((one) => key.parts[one] !== original.parts[one])).toContain(part);
  });

  const command: Change = step({ program: tool });
  it.each<[string, Partial<Extract<Program, { kind: 'command' }>>]>([
    ['image', { image: 'debian:13' }],
    ['command', { command: ['sort', '-r'] }],
    ['arguments', { args: [] }],
    ['output flag', { outputCommand: '>' }],
    ['output path', { outputParameter: 'all.txt' }],
  ])('differs with the %s of a tool', async (_, change) => {
    const changed = step({ program: { ...tool, ...change } });
    expect((await keyOf(changed)).key).not.toBe((await keyOf(command)).key);
  });

  const same: [string, Change][] = [
    ['the name of the node', step({ node: 'other-1' })],
    ['its label', step({ label: 'another label' })],
    ['its place in the plan', step({ index: 7, segment: 3 })],
    ['its time limit, retries and size', step({ timeoutSeconds: 60, retries: 3, size: 'large' })],
    ['its own switch', step({ cache: true })],
    ['the order of the keys of its environment', step({ environment: { MODE: 'fast', LANG: 'C' } })],
    [
      'the order of the keys of its program',
      step({ program: { args: [], source: 'cat in/*/*', language: 'bash', kind: 'script' } }),
    ],
    ['the masked copy of a file', entries((all) => all.map((entry) => ({ ...entry, shown: { sha256: sha('c') } })))],
  ];
  it.each(same)('does not depend on %s', async (_, change) => {
    expect(await keyOf(change)).toEqual(await keyOf());
  });

  it('is the same for content that is stored and content that is not', async () => {
    const sha256 = createHash('sha256').update('a line').digest('hex');
    const asFile = entries((all) => [
      ...all.slice(0, 2),
      { kind: 'file', path: 's1/line.txt', file: { sha256, size: 6 } },
    ]);
    expect(await keyOf(asFile)).toEqual(await keyOf());
  });
});

describe('the key of a step with secrets', () => {
  it('is the same for the same value under another variable name', async () => {
    const renamed: Change = (input) => ({
      ...inputs({ values: { a: 'hunter22', b: 'two' }, written: { a: { text: '${{vars.OTHER}}' } } })(input),
      variables: variables({ OTHER: 'hunter22' }),
    });
    expect(await keyOf(renamed)).toEqual(await keyOf(secret('hunter22')));
  });

  it('differs with the value, and in another vault', async () => {
    const otherVault = secret('hunter22', () => ({ variables: variables({ TOKEN: 'hunter22' }, 'vault 2') }));
    const keys = await Promise.all([secret('hunter22'), secret('hunter23'), otherVault].map((one) => keyOf(one)));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(3);
  });

  it('differs with the value of a secret that only another step uses, because logs are masked with it', async () => {
    const plain: Change = () => ({ variables: variables({ TOKEN: 'hunter22' }) });
    const changed: Change = () => ({ variables: variables({ TOKEN: 'hunter23' }) });
    const [original, key] = [await keyOf(plain), await keyOf(changed)];
    expect(CACHE_PARTS.filter((part) => key.parts[part] !== original.parts[part])).toEqual(['secrets']);
  });

  it('does not depend on the value itself, only on its digest', async () => {
    const digests = { salt: 's', values: { TOKEN: 'd' } };
    const of = (value: string): Change => {
      const runVariables = createRunVariables(new Map([['TOKEN', value]]), new Map(), digests);
      return secret(value, () => ({ variables: runVariables }));
    };
    expect(await keyOf(of('hunter22'))).toEqual(await keyOf(of('hunter23')));
  });

  it('differs with the space of the module that names the variable', async () => {
    const secrets = variables({ 'space-1/TOKEN': 'hunter22', 'space-2/TOKEN': 'hunter23' });
    const inSpace =
      (space: string): Change =>
      (input) => ({
        ...inputs({ values: { a: 'x', b: 'two' }, written: { a: { text: '${{vars.TOKEN}}', space } } })(input),
        variables: secrets,
      });
    expect((await keyOf(inSpace('space-1'))).key).not.toBe((await keyOf(inSpace('space-2'))).key);
    const environment = { KEY: '${{vars.TOKEN}}' };
    const [one, two] = ['space-1', 'space-2'].map((space): Change => (input) => ({
      ...step({ environment, space })(input),
      variables: secrets,
    }));
    expect((await keyOf(one)).key).not.toBe((await keyOf(two)).key);
  });

  it('differs with a variable that is no secret', async () => {
    const inRun =
      (run: string): Change =>
      (input) => ({
        ...inputs({ values: { a: run, b: 'two' }, written: { a: { text: '${{vars.RUN_ID}}' } } })(input),
        variables: createRunVariables(new Map(), new Map([['RUN_ID', run]])),
      });
    expect((await keyOf(inRun('1'))).key).not.toBe((await keyOf(inRun('2'))).key);
    expect(await keyOf(inRun('one'))).toEqual(await keyOf());
  });

  it('is not made without digests of the secrets', async () => {
    const missing = createRunVariables(new Map([['TOKEN', 'hunter22']]), new Map());
    for (const runVariables of [missing, withheld('gone')]) {
      const context = { variables: runVariables, runner: ['sandbox'] };
      expect(await cacheKey(base.step, base.inputs, context)).toBeNull();
    }
  });
});

it('the key of 100,000 files lets other work of the worker run in between', async () => {
  const files = Array.from({ length: 100_000 }, (_, at): InputEntry => {
    return { kind: 'file', path: `s0/${at}.txt`, file: { sha256: sha('a'), size: 3 } };
  });
  let iterations = 0;
  const timer = setInterval(() => iterations++, 1);
  await keyOf(entries(() => files));
  clearInterval(timer);
  expect(iterations).toBeGreaterThan(2);
});
