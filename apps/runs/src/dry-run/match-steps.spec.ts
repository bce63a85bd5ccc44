import { describe, expect, it } from '@jest/globals';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { draw, type Drawing } from '@millrace/graph/testing/draw-workflow';
import { PlanIndex } from '../engine/plans/plan-index.js';
import { StepMatcher } from './match-steps.js';
import { stepKey, type EarlierRun } from './read-earlier-runs.js';

const FILE = { path: 'a.txt', sha256: 'a'.repeat(64), size: 1 };

interface Options {
  source?: string;
  level?: string;
  file?: InputValue;
  splits?: number;
}

function drawPipeline({ source = 'first', level = '1', splits = 2 }: Options): Drawing {
  return draw()
    .primitive('f-1', 'FILE', null)
    .script('a-1', {}, { script: { source } })
    .tool('b-1', { t: { type: 'STRING', order: 1, value: level }, f: { type: 'FILE', order: 2 } })
    .script('each-1', {}, { distribution: { input: 'file', mode: 'batch', splits } })
    .wire('f-1', 'a-1.file')
    .wire('a-1.file', 'b-1.f')
    .wire('a-1.file', 'each-1.file');
}

const index = (options: Options) => new PlanIndex(compilePlan(drawPipeline(options).data(), {}), 'x'.repeat(64));

function formerRun(id: bigint, options: Options = {}): EarlierRun {
  const plan = index(options);
  const steps = new Map(plan.plan.steps.map((step) => [stepKey(step), step.index]));
  return { id, plan, inputs: { 'f-1': options.file ?? FILE }, isChanged: false, steps };
}

/** @param known earlier runs in which `a-1` has the outputs that it will have */
function match(node: string, former: EarlierRun, known: bigint[] = [], options: Options = {}): boolean {
  const plan = index(options);
  const matcher = new StepMatcher(plan, { 'f-1': options.file ?? FILE }, new Map([[0, new Set(known)]]));
  const step = plan.plan.steps.find((candidate) => candidate.node === node && candidate.type !== 'SPLIT');
  if (!step) throw new Error(`No step ${node}`);
  return matcher.isSame(step, former);
}

describe('a step of an earlier run', () => {
  it('is the same if its program and the contents of its inputs are', () => {
    expect(match('a-1', formerRun(1n))).toBe(true);
    // JSON columns do not keep the order of keys.
    expect(match('a-1', formerRun(1n, { file: { size: 1, sha256: FILE.sha256, path: 'a.txt' } }))).toBe(true);
    expect(match('a-1', formerRun(1n, { source: 'second' }))).toBe(false);
    expect(match('a-1', formerRun(1n, { file: { ...FILE, sha256: 'b'.repeat(64) } }))).toBe(false);
    expect(match('a-1', formerRun(1n, { file: { ...FILE, path: 'b.txt' } }))).toBe(false);
  });

  it('is the same only if the steps before it have the outputs of that run', () => {
    expect(match('b-1', formerRun(1n), [1n])).toBe(true);
    expect(match('b-1', formerRun(1n), [2n])).toBe(false);
    expect(match('b-1', formerRun(1n, { level: '2' }), [1n])).toBe(false);
  });

  it('has the same children only if its split gets the same items', () => {
    expect(match('each-1', formerRun(1n), [1n])).toBe(true);
    expect(match('each-1', formerRun(1n), [])).toBe(false);
    expect(match('each-1', formerRun(1n, { splits: 3 }), [1n])).toBe(false);
  });
});

describe('inputs of a step', () => {
  const reasonOf = (node: string, inputs: Record<string, InputValue>, known: number[] = []) => {
    const plan = index({});
    const matcher = new StepMatcher(plan, inputs, new Map(known.map((step) => [step, new Set<bigint>()])));
    const step = plan.plan.steps.find((candidate) => candidate.node === node && candidate.type !== 'SPLIT');
    return step ? matcher.findUnknownInput(step) : undefined;
  };

  it('are unknown without a value, and for a URL that the run fetches', () => {
    expect(reasonOf('a-1', {})).toBe('input "f-1" has no value');
    expect(reasonOf('a-1', { 'f-1': 'https://example.org' })).toBe('input "f-1" has to be fetched first');
    expect(reasonOf('a-1', { 'f-1': FILE })).toBeNull();
  });

  it('are unknown after a step whose outputs are unknown, also if they come as items', () => {
    for (const node of ['b-1', 'each-1']) {
      expect(reasonOf(node, { 'f-1': FILE })).toBe('it uses the outputs of "a-1", which are not known yet');
      expect(reasonOf(node, { 'f-1': FILE }, [0])).toBeNull();
    }
  });
});
