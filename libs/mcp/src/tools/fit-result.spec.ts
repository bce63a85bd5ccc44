import { expect, it } from '@jest/globals';
import { fitResult, MAX_RESULT_CHARACTERS } from './fit-result.js';

const records = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `record-${index}`.padEnd(200) }));

it('a short result stays as it is', () => {
  const content = { results: records(10) };
  expect(fitResult(content, 25)).toBe(content);
  expect(fitResult(content, undefined)).toBe(content);
});

it('a page that is too long is refused with a size that fits', () => {
  expect(() => fitResult({ results: records(1000) }, 1000)).toThrow(/page_size \d{3} or less/);
});

it('the longest list of another result is shortened, and the number of missing records is given', () => {
  const content = { name: 'x', steps: records(1000), problems: records(3) };
  const fitted = fitResult(content, undefined) as unknown as typeof content & { omitted: { steps: number } };
  expect(fitted).toMatchObject({ name: 'x', problems: content.problems });
  expect(fitted.steps.length).toBeGreaterThan(300);
  expect(fitted.omitted).toEqual({ steps: 1000 - fitted.steps.length });
  expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(MAX_RESULT_CHARACTERS);
});

it('a result that is too long without its lists is refused', () => {
  expect(() => fitResult({ nodes: { changed: records(1000) } }, undefined)).toThrow(/at most 80000/);
});
