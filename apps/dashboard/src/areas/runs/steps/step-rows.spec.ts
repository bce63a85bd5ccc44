import { expect, it } from '@jest/globals';
import { buildStepRows, filterStepRows, foldStepRows, placeOfStep, readFolded, toggleFolded } from './step-rows.js';

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

it('a module has the steps at any depth inside it', () => {
  const [, scan, , deep] = buildStepRows(steps);
  expect(scan).toMatchObject({ key: 'scan-1', steps: ['2', '3', '4'] });
  expect(deep).toMatchObject({ key: 'scan-1/deep-1', steps: ['3'] });
});

it('a folded module hides what is inside it, at any depth', () => {
  const rows = buildStepRows(steps);
  expect(draw([...foldStepRows(rows, new Set(['scan-1']))])).toEqual(['0 fetch-1', '0 scan-1', '0 report-1']);
  expect(draw([...foldStepRows(rows, new Set(['scan-1/deep-1']))])).toHaveLength(6);
  expect(foldStepRows(rows, new Set())).toBe(rows);
});

it('a step inside of a folded module is at the place of the module', () => {
  const folded = new Set(['scan-1']);
  const rows = foldStepRows(buildStepRows(steps), folded);
  expect(placeOfStep(rows, '3', folded)).toBe(1);
  expect(placeOfStep(rows, '5', folded)).toBe(2);
  expect(placeOfStep(rows, undefined, folded)).toBe(-1);
  expect(placeOfStep(buildStepRows(steps), '3', new Set())).toBe(4);
});

it('folded modules are read as they were written', () => {
  const text = toggleFolded(new Set(['a-1/b,1']), 'c-1');
  expect(readFolded(text)).toEqual(new Set(['a-1/b,1', 'c-1']));
  expect(toggleFolded(readFolded('c-1'), 'c-1')).toBeUndefined();
  expect(readFolded(undefined).size).toBe(0);
});
