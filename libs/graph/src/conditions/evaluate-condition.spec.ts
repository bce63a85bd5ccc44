import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compilePlan } from '../plan/compile-plan.js';
import { type Condition } from '../plan/condition.js';
import { draw } from '../testing/draw-workflow.js';
import { describeFalseCondition } from './describe-false-condition.js';
import { evaluateCondition, type ConditionFacts, type StepFacts } from './evaluate-condition.js';
import { matchesLike } from './matches-like.js';

const conditionOf = (when: string): Condition => {
  const drawing = draw()
    .primitive('string-input-1', 'STRING', 'quick', 'mode')
    .primitive('boolean-input-1', 'BOOLEAN', true, 'deep')
    .script('scan-1')
    .script('end-1', {}, { when });
  const condition = compilePlan(drawing.data(), {}).steps.find(({ node }) => node === 'end-1')?.when;
  if (condition === undefined) throw new Error('the step has no condition');
  return condition;
};

const factsOf = (scan: StepFacts, mode = 'quick'): ConditionFacts => ({
  inputs: { 'string-input-1': mode, 'boolean-input-1': true },
  steps: { 0: scan },
});

const evaluate = (when: string, scan: StepFacts, mode?: string): boolean =>
  evaluateCondition(conditionOf(when), factsOf(scan, mode));

describe('a condition', () => {
  it.each<[string, StepFacts, boolean]>([
    ['nodes.scan-1.lines > 0', { lines: 1 }, true],
    ['nodes.scan-1.lines > 0', { lines: 0 }, false],
    ['nodes.scan-1.lines >= 1.5', { lines: 1 }, false],
    ['nodes.scan-1.exit_code IN (0, 1)', { exit_code: 1 }, true],
    ['nodes.scan-1.exit_code NOT IN (0, 1)', { exit_code: 2 }, true],
    ['nodes.scan-1.status = succeeded', { status: 'SUCCEEDED' }, true],
    ['nodes.scan-1.status != SUCCEEDED', { status: 'SKIPPED' }, true],
    ['nodes.scan-1.first_line = yes', { first_line: 'yes' }, true],
    ['nodes.scan-1.first_line > 9', { first_line: ' 10 ' }, true],
    ['nodes.scan-1.first_line > "9"', { first_line: '10' }, false],
    ['nodes.scan-1.first_line > 9', { first_line: 'many' }, false],
    ['nodes.scan-1.first_line != 9', { first_line: 'many' }, true],
    ['nodes.scan-1.first_line LIKE "%.example.org"', { first_line: 'a.example.org' }, true],
    ['nodes.scan-1.first_line NOT LIKE "a\\_%"', { first_line: 'abc' }, true],
    ['inputs.mode = quick AND inputs.deep = true', {}, true],
    ['inputs.mode = deep OR nodes.scan-1.size > 10', { size: 11 }, true],
    ['inputs.string-input-1 IN (quick, deep)', {}, true],
    ['NOT (inputs.mode = quick)', {}, false],
    ['nodes.scan-1.exit_code IS NULL', { exit_code: null }, true],
    ['nodes.scan-1.exit_code = null', {}, true],
    ['nodes.scan-1.exit_code IS NOT NULL', { exit_code: 0 }, true],
  ])('%s is, with %j, %s', (when, scan, result) => {
    expect(evaluate(when, scan)).toBe(result);
  });

  it.each(['=', '!=', '<', '<=', '>', '>='])('with %s is false for a fact without a value', (operator) => {
    expect(evaluate(`nodes.scan-1.lines ${operator} 0`, {})).toBe(false);
    expect(evaluate(`NOT nodes.scan-1.lines ${operator} 0`, {})).toBe(true);
  });

  it('reads no value that an object inherits', () => {
    const condition = conditionOf('inputs.mode = x');
    expect(evaluateCondition(condition, { inputs: Object.create({ 'string-input-1': 'x' }) as never, steps: {} })).toBe(
      false,
    );
  });

  it('takes no time for a pattern with many wildcards', () => {
    expect(matchesLike('a'.repeat(1_000), `${'%a'.repeat(400)}b`)).toBe(false);
  });
});

describe('the reason why a condition is false', () => {
  it.each<[string, StepFacts, string]>([
    ['nodes.scan-1.lines   >0', { lines: 0 }, 'nodes.scan-1.lines > 0 (it is 0)'],
    ['nodes.scan-1.size > 10', { size: 3 }, 'nodes.scan-1.size > 10 (it is 3 bytes)'],
    ['nodes.scan-1.lines > 0', {}, 'nodes.scan-1.lines > 0 (it has no value)'],
    ["inputs.mode = 'deep'", {}, 'inputs.mode = "deep" (it is "quick")'],
    ['inputs.mode = quick AND nodes.scan-1.lines > 0', { lines: 0 }, 'nodes.scan-1.lines > 0 (it is 0)'],
    [
      'inputs.mode = deep OR NOT nodes.scan-1.lines = 0',
      { lines: 0 },
      'inputs.mode = deep (it is "quick"), NOT nodes.scan-1.lines = 0 (it is 0)',
    ],
    ['NOT nodes.scan-1.size > 0', { size: 5 }, 'NOT nodes.scan-1.size > 0 (it is 5 bytes)'],
    ['NOT NOT nodes.scan-1.size > 9', { size: 5 }, 'nodes.scan-1.size > 9 (it is 5 bytes)'],
    [
      'NOT (inputs.mode = quick OR NOT nodes.scan-1.lines > 0)',
      { lines: 0 },
      'NOT inputs.mode = quick (it is "quick"), nodes.scan-1.lines > 0 (it is 0)',
    ],
    ['NOT nodes.scan-1.exit_code IS NULL', {}, 'NOT nodes.scan-1.exit_code IS NULL (it has no value)'],
    [
      'inputs.mode = a OR inputs.mode = b OR inputs.mode = c OR inputs.mode = d OR inputs.mode = e',
      {},
      'inputs.mode = a (it is "quick"), inputs.mode = b (it is "quick"), inputs.mode = c (it is "quick") and 2 more',
    ],
  ])('of %s names what decided it', (when, scan, reason) => {
    expect(describeFalseCondition(conditionOf(when), factsOf(scan))).toBe(`its condition is false: ${reason}`);
  });

  it('lists only conditions that are false themselves', () => {
    const test = fc.constantFrom(
      ...['inputs.mode = quick', 'inputs.mode != quick', 'nodes.scan-1.lines > 0', 'nodes.scan-1.size <= 3'],
      ...['nodes.scan-1.exit_code = 0', 'nodes.scan-1.lines != 1'],
    );
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 4 },
        test,
        tie('condition').map((item) => `NOT (${item})`),
        fc
          .tuple(tie('condition'), fc.constantFrom('AND', 'OR'), tie('condition'))
          .map((parts) => `(${parts.join(' ')})`),
      ),
    }));
    const number = fc.option(fc.integer({ min: 0, max: 5 }));
    const facts = fc.record({ lines: number, size: number, exit_code: number });
    fc.assert(
      fc.property(condition, facts, (when, scan) => {
        if (evaluate(when, scan)) return;
        const reason = describeFalseCondition(conditionOf(when), factsOf(scan));
        const listed = [...reason.matchAll(/((?:NOT )?\S+ \S+ \S+) \(it /g)].map(([, text = '']) => text);
        expect(listed).not.toEqual([]);
        for (const text of listed) expect([text, evaluate(text, scan)]).toEqual([text, false]);
      }),
    );
  });

  it('hides what the caller masks', () => {
    const mask = (text: string) => text.replaceAll('s3cret', '***');
    expect(describeFalseCondition(conditionOf('inputs.mode = s3cret-1'), factsOf({}, 's3cret'), mask)).toBe(
      'its condition is false: inputs.mode = ***-1 (it is "***")',
    );
  });
});
