import { renderMarkdown } from '../lib/render-markdown.mjs';
import { predictUse } from './predict-use.mjs';

/**
 * @param {import('../load/summarize.mjs').LoadResult} measured
 * @param {import('./derive-units.mjs').Units} units
 * @returns {string} a Markdown table: what the costs predict for the load test, and what it has used
 */
export function renderCheck(measured, units) {
  return renderMarkdown(
    ['Process, all copies', 'Predicted, processors', 'Measured, processors', 'Measured / predicted'],
    predictUse(measured, units).map(({ name, predicted, used }) => [
      ...[name, predicted.toFixed(3), used.toFixed(3), (used / predicted).toFixed(2)],
    ]),
  );
}
