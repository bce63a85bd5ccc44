import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeResult, renderTable } from './render-result.mjs';
import { WORKLOADS } from './workloads.mjs';

const RESULTS = join(import.meta.dirname, 'results');
const START = '<!-- peers:start, written by `npm run docs:peers` -->';
const END = '<!-- peers:end -->';

/** @returns {import('./render-result.mjs').PeersResult} the result with the latest name, which begins with its date */
export function readLatestResult() {
  const file = readdirSync(RESULTS)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .at(-1);
  if (!file) throw new Error(`${RESULTS} has no results.`);
  return JSON.parse(readFileSync(join(RESULTS, file), 'utf8'));
}

/**
 * @param {string} page with both markers
 * @param {import('./render-result.mjs').PeersResult} result
 * @returns {string} the page with the table of the result between the markers
 */
export function replaceSection(page, result) {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`The page lacks the lines ${START} and ${END}.`);
  const section = `${renderTable(result, WORKLOADS)}\n\n${describeResult(result)}`;
  return `${page.slice(0, start + START.length)}\n\n${section}\n\n${page.slice(end)}`;
}
