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
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {string[]} */ row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
