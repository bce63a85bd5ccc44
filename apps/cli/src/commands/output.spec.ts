import { expect, it } from '@jest/globals';
import { explainNoOutputs } from './output.js';

it.each([
  ['FAILED', 'node "a-1" failed', 'Run 7 failed before it produced a named output (node "a-1" failed). To see why: '],
  ['STOPPED', undefined, 'Run 7 was stopped before it produced a named output. To see why: '],
  ['RUNNING', undefined, 'Run 7 is RUNNING and has no named outputs yet. Try again when it has ended.'],
  ['COMPLETED', undefined, 'Run 7 is COMPLETED. It has no named outputs, because no node'],
] as const)('explainNoOutputs gives the reason for a run with status %s', (status, error, message) => {
  expect(explainNoOutputs({ id: '7', status, error })).toContain(message);
});
