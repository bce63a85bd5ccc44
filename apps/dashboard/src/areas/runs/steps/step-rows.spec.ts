import { expect, it } from '@jest/globals';
import { buildStepRows, filterStepRows } from './step-rows.js';

const steps = [
  { id: '1', node: 'fetch-1' },
  { id: '2', node: 'scan-1/probe-1' },
  { id: '3', node: 'scan-1/deep-1/ports-1' },
  { id: '4', node: 'scan-1/merge-1' },
  { id: '5', node: 'report-1' },
];
const draw = (rows: ReturnType<typeof buildStepRows>) => rows.map(({ key, depth }) => `${depth} ${key}`);

it('nodes inside of modules are below their module', () => {
  expect(draw(buildStepRows(steps))).toEqual([
    '0 fetch-1',
    '0 scan-1',
    '1 scan-1/probe-1',
    '1 scan-1/deep-1',
    '2 scan-1/deep-1/ports-1',
    '1 scan-1/merge-1',
    '0 report-1',
  ]);
});

it('a filter keeps the modules around what matches, and no others', () => {
  const rows = buildStepRows(steps);
  expect(draw(filterStepRows(rows, (id) => id === '3'))).toEqual([
    '0 scan-1',
    '1 scan-1/deep-1',
    '2 scan-1/deep-1/ports-1',
  ]);
  expect(draw(filterStepRows(rows, (id) => id === '2' || id === '5'))).toEqual([
    '0 scan-1',
    '1 scan-1/probe-1',
    '0 report-1',
  ]);
  expect(filterStepRows(rows, () => false)).toEqual([]);
});
