/**
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 * @returns {string} a Markdown table with aligned columns
 */
export function renderMarkdown(head, rows) {
  const table = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {string[]} */ row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...table.slice(1).map(line)].join('\n');
}
