import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Problem } from '../check/problem.js';
import { validateWorkflow } from '../check/validate-workflow.js';
import { type Modules } from '../data/workflow-data.js';
import { compilePlan } from '../plan/compile-plan.js';
import { draw, label } from '../testing/draw-workflow.js';
import { evaluateCondition } from './evaluate-condition.js';
import { MAX_CONDITION_LENGTH } from './read-condition.js';

const modules: Modules = {
  m: { workflow_id: 'w', data: draw().script('a-1', {}, label('first lines')).script('b-1', {}, label('rest')).data() },
};

const workflow = (when: string) =>
  draw()
    .primitive('string-input-1', 'STRING', 'quick', 'mode')
    .primitive('string-input-2', 'STRING', 'x', 'same')
    .primitive('string-input-3', 'STRING', 'y', 'same')
    .primitive('boolean-input-1', 'BOOLEAN', true, 'deep')
    .script('list-1')
    .splitter('split-1')
    .script('scan-1')
    .approval('ok-1')
    .module('mod-1', 'm')
    .script('end-1', {}, { when })
    .wire('list-1.file', 'split-1.multiple')
    .wire('split-1.output', 'scan-1.file')
    .wire('scan-1.folder', 'end-1.folder')
    .data();

const errorsOf = (when: string): Problem[] => validateWorkflow(workflow(when), { modules }).errors;

describe('a condition', () => {
  it.each([
    'inputs.mode = deep',
    "inputs.mode IN ('deep', quick) and not inputs.deep = TRUE",
    'inputs.string-input-1 LIKE "q%"',
    'inputs.string-input-2 = x',
    'nodes.scan-1.succeeded >= 10 AND nodes.scan-1.failed = 0 OR nodes.scan-1.size > 1e6',
    'nodes.split-1.children > 0',
    'nodes.ok-1.status = SUCCEEDED',
    'nodes.`list-1`.first_line IS NOT NULL',
    'nodes.mod-1.`first lines`.lines > 0 AND nodes.mod-1.b-1.exit_code != null',
    '((nodes.list-1.files > 0))',
  ])('may be %s', (when) => {
    expect(errorsOf(when)).toEqual([]);
  });

  it.each<[when: string, position: number, expected: unknown, hint: string]>([
    ['nodes.list-1.size', 17, expect.arrayContaining(['=', 'IN', 'IS NULL']), 'Write a condition such as'],
    ['nodes.list-1.size == 1', 19, ['a value'], 'Write a condition such as'],
    ['nodes.list-1.size > ', 20, ['a value'], 'Write a condition such as'],
    ['= 1', 0, ['a reference such as nodes.scan-1.size', 'NOT', '('], 'Write a condition such as'],
    ['(inputs.mode = x', 16, ['AND', 'OR', ')'], 'Write a condition such as'],
    ['inputs.mode = x inputs.mode = y', 16, ['AND', 'OR', 'the end'], 'Write a condition such as'],
    ['inputs.mode ~ "^a"', 12, expect.not.arrayContaining(['~']), 'Write a condition such as'],
    ['inputs.mode HAS x', 12, expect.not.arrayContaining(['HAS']), 'Write a condition such as'],
    ['inputs.mode = "x', 14, ['"'], 'Write a condition such as'],
    ['inputs.mode = a AND nodes.list-1.size > big', 40, ['a number'], 'Write a number'],
    ['nodes.list-1.status = FAILD', 22, ['SUCCEEDED', 'FAILED', 'STOPPED', 'SKIPPED'], 'Did you mean "FAILED"?'],
    ['nodes.list-1.status > FAILED', 20, ['=', '!=', 'IN', 'IS NULL'], 'Use one of =, !=, IN, IS NULL.'],
    ['nodes.list-1.size LIKE "1%"', 18, expect.arrayContaining(['=', '>']), 'Use one of'],
    ['inputs.deep = maybe', 14, ['true', 'false'], 'Use one of true, false.'],
    ['inputs.mode < null', 14, ['a value'], 'Write IS NULL'],
    ['inputs.mode LIKE "a\\\\"', 17, ['\\\\'], 'two backslashes'],
    ['nodes.end-1.size > 0', 0, ['another node'], 'Refer to an earlier node.'],
    ['nodes.scan-1.lines > 0', 0, ['size', 'files', 'succeeded'], 'gather the outputs in a script'],
  ])('%s is an error at its place', (when, position, expected, hint) => {
    expect(errorsOf(when)).toEqual([
      {
        ...{ code: 'bad_condition', node: 'end-1', path: 'nodes.end-1.when', position, expected },
        message: expect.stringContaining(`at position ${position}: `),
        hint: expect.stringContaining(hint),
      },
    ]);
  });

  it.each<[when: string, position: number, hint: string]>([
    ['mode = deep', 0, 'Begin a reference with inputs. or nodes.'],
    ['NOT inputs.mdoe = deep', 4, 'Did you mean "mode"?'],
    ['inputs.same = x', 0, 'Use the id of one of them: "string-input-2", "string-input-3".'],
    ['nodes.lst-1.size > 0', 0, 'Did you mean "list-1"?'],
    ['nodes.list-1.szie > 0', 0, 'Did you mean "size"?'],
    ['nodes.list-1 > 0', 0, 'Use one of "status", "exit_code"'],
    ['nodes.list-1.file.size > 0', 0, 'Did you mean "size"?'],
    ['nodes.split-1.size > 0', 0, 'Use one of "status", "children".'],
    ['nodes.ok-1.exit_code = 0', 0, 'Use one of "status", "children"'],
    ['nodes.mod-1.size > 0', 0, 'Name one of its outputs before the fact: "first lines", "rest", "a-1", "b-1".'],
    ['nodes.mod-1.rset.size > 0', 0, 'Did you mean "rest"?'],
    ['nodes.mod-1.rest.szie > 0', 0, 'Did you mean "size"?'],
  ])('%s names nothing, and the hint is %s', (when, position, hint) => {
    expect(errorsOf(when)).toMatchObject([
      {
        code: 'unknown_reference',
        node: 'end-1',
        path: 'nodes.end-1.when',
        position,
        hint: expect.stringContaining(hint),
      },
    ]);
  });

  it.each([
    ["inputs.mode = 'inputs.mode'", []],
    ['inputs.mode IN (inputs., nodes.example.org, nodes.size, inputs)', []],
    ['inputs.mode = inputs.mode OR inputs.mode LIKE nodes.list-1.first_line', [14, 46]],
  ])('%s compares with texts that look like references at %j', (when, positions) => {
    const { errors, warnings } = validateWorkflow(workflow(when), { modules });
    const found = warnings.filter(({ code }) => code === 'reference_as_text');
    expect([errors, found.map(({ position }) => position)]).toEqual([[], positions]);
  });

  it('has at most 1,000 characters', () => {
    const when = `inputs.mode = "${'x'.repeat(MAX_CONDITION_LENGTH)}"`;
    expect(errorsOf(when)).toMatchObject([{ code: 'bad_condition', position: MAX_CONDITION_LENGTH }]);
    expect(errorsOf(when.slice(0, MAX_CONDITION_LENGTH - 1) + '"')).toEqual([]);
  });

  it('never makes validation throw, and an accepted one has a result for any facts', () => {
    const word = fc.constantFrom(
      ...['inputs.mode', 'inputs.deep', 'nodes.list-1.size', 'nodes.scan-1.lines', 'nodes.mod-1.rest.lines', 'nodes.x'],
      ...['=', '!=', '>', '<=', 'IN', 'NOT', 'LIKE', 'IS', 'NULL', 'AND', 'OR', '(', ')', ',', '~', '.', '`', '"a"'],
      ...['1', '-1e9', 'true', 'x', 'FAILED', '%', '\\', '__proto__', 'constructor', '\ud800', '🜁'],
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
      fc.string({ maxLength: 40 }),
    );
    const value = fc.oneof(fc.constant(null), fc.double(), fc.string(), fc.boolean());
    fc.assert(
      fc.property(text, fc.array(value, { maxLength: 6 }), (when, values) => {
        if (errorsOf(when).length > 0) return;
        const condition = compilePlan(workflow(when), modules).steps.find(({ node }) => node === 'end-1')?.when;
        if (condition === undefined) return;
        const inputs = Object.fromEntries(condition.inputs.map((id, at) => [id, values[at] as string]));
        const steps = Object.fromEntries(condition.steps.map((step, at) => [step, { size: values[at] as number }]));
        expect(typeof evaluateCondition(condition, { inputs, steps })).toBe('boolean');
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('an input that only a condition uses', () => {
  const drawing = draw()
    .primitive('string-input-1', 'STRING', null, 'mode')
    .script('a-1', {}, { when: 'inputs.mode = x' });

  it('is used, and a run must set it', async () => {
    expect(validateWorkflow(drawing.data()).warnings).toEqual([]);
    const { resolveRunInputs } = await import('../run/resolve-run-inputs.js');
    expect(resolveRunInputs(compilePlan(drawing.data(), {}), {}).errors).toMatchObject([
      { code: 'missing_input', port: 'mode' },
    ]);
  });
});

describe('a node that is only ordered', () => {
  it('is connected', () => {
    const drawing = draw()
      .script('a-1')
      .script('b-1')
      .script('c-1', {}, { when: 'nodes.b-1.size > 0' })
      .order('a-1', 'b-1');
    expect(validateWorkflow(drawing.data()).warnings).toEqual([]);
  });

  it('can never run if the node that it follows has an error', () => {
    const drawing = draw()
      .splitter('s-1')
      .script('b-1')
      .script('c-1', {}, { when: 'nodes.b-1.size > 0' })
      .order('s-1', 'b-1');
    expect(validateWorkflow(drawing.data()).warnings.map(({ code, node }) => [code, node])).toEqual([
      ['unused_splitter', 's-1'],
      ['unreachable_node', 'b-1'],
      ['unreachable_node', 'c-1'],
    ]);
  });
});
