import { expect, it } from '@jest/globals';
import { describeProblem } from './describe-problem.js';

it.each([
  [
    { node: 'sort-1', path: 'nodes.sort-1.retrys', hint: 'Did you mean "retries"?' },
    'node "sort-1", field "retrys": no (Did you mean "retries"?)',
  ],
  [{ node: 'a.b-1', path: 'nodes.a.b-1.inputs.x.value' }, 'node "a.b-1", field "inputs.x.value": no'],
  [{ node: 'sort-1', path: 'nodes.sort-1' }, 'node "sort-1": no'],
  [{ node: 'sort-1', port: 'file' }, 'node "sort-1", field "file": no'],
  [{ path: 'connections.3.source' }, 'field "connections.3.source": no'],
  [{ field: 'inputs.x.type', line: 4, column: 14 }, 'line 4, column 14: field "inputs.x.type": no'],
  [{ field: '', line: 2, column: 1 }, 'line 2, column 1: no'],
  [{}, 'no'],
])('a problem at %j is described in one line with its node and field', (place, line) => {
  expect(describeProblem({ code: 'x', message: 'no', ...place })).toBe(line);
});
