import { expect, it } from '@jest/globals';
import { applyDiff } from '../document/diff.js';
import { readDocument } from '../document/document.js';
import { findFix } from './find-fix.js';
import { problemsAt, readProblems, type Problem } from './problems.js';

const document = readDocument({
  primitiveNodes: { 'list-1': { type: 'FILE' } },
  nodes: {
    'a-1': { type: 'SCRIPT' },
    'b-1': {
      type: 'TOOL',
      when: 'nodes.aa-1.lines > 0',
      inputs: { rate: { type: 'STRING' }, lefts: { type: 'FILE' } },
    },
  },
  connections: [{ source: { id: 'output/a-1/file' }, destination: { id: 'input/b-1/rate/a-1' } }],
});
const problem = (code: string, more: Partial<Problem> = {}): Problem => ({ code, message: '', isError: true, ...more });
const fixed = (id: string, found: Problem) => {
  const fix = findFix(document, id, found);
  return fix && applyDiff(document, fix.diff);
};

it('a missing input is left out', () => {
  expect(fixed('b-1', problem('missing_input', { port: 'rate' }))?.nodes['b-1']?.inputs?.['rate']?.visible).toBe(false);
});

it('a connection that does not fit is removed', () => {
  expect(fixed('b-1', problem('type_mismatch', { port: 'rate' }))?.connections).toEqual({});
});

it('a misspelt name is replaced by the one that is meant', () => {
  const reference = problem('unknown_reference', {
    message: 'The condition is wrong: the node "aa-1" does not exist.',
    hint: 'Did you mean "a-1"?',
  });
  expect(fixed('b-1', reference)?.nodes['b-1']?.when).toBe('nodes.a-1.lines > 0');
  const input = problem('unknown_input', { port: 'lefts', hint: 'Did you mean "left"?' });
  expect(Object.keys(fixed('b-1', input)?.nodes['b-1']?.inputs ?? {})).toEqual(['rate', 'left']);
});

it('an unused input of the workflow is removed, and other problems have no fix', () => {
  expect(fixed('list-1', problem('unused_primitive'))?.primitiveNodes).toEqual({});
  expect(findFix(document, 'a-1', problem('cycle'))).toBeUndefined();
});

it('problems are found at their node, a problem inside of a module at the module, and at their field', () => {
  const { byNode } = readProblems({
    errors: [
      { code: 'missing_input', message: 'x', node: 'b-1', port: 'rate' },
      { code: 'malformed', message: 'y', node: 'b-1', path: 'nodes.b-1.retries' },
      { code: 'cycle', message: 'z', node: 'module-1/inner' },
    ],
    warnings: [],
  });
  const own = byNode.get('b-1') ?? [];
  expect(byNode.get('module-1')).toHaveLength(1);
  expect(problemsAt(own, 'b-1', 'inputs.rate').map(({ message }) => message)).toEqual(['x']);
  expect(problemsAt(own, 'b-1', 'retries').map(({ message }) => message)).toEqual(['y']);
  expect(problemsAt(own, 'b-1', 'script')).toEqual([]);
});
