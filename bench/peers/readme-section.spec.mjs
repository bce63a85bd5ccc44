import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../../scripts/lib/layout.mjs';
import { readLatestResult, replaceSection } from './readme-section.mjs';

it('the README has the table of the latest result', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  expect(replaceSection(readme, readLatestResult())).toBe(readme);
});

it('replaceSection refuses a page without its markers', () => {
  expect(() => replaceSection('no table here', readLatestResult())).toThrow('The page lacks the lines');
});
