import { renderMarkdown } from './render-markdown.mjs';

/**
 * @param {import('../run.mjs').Result[]} results
 * @returns {string} a Markdown table
 */
export function renderTable(results) {
  const head = ['Workload', 'Isolation', 'Millrace', 'Floor', 'Ratio', 'Goal', 'Result'];
  const rows = results.map(({ workload, isolation, ours, floor, ratio, goal, met }) => [
    ...[workload, isolation, ours, floor, ratio.toFixed(2), goal],
    met ? 'met' : 'missed',
  ]);
  return renderMarkdown(head, rows);
}
