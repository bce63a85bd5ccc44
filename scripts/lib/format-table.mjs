/**
 * Formats rows as aligned columns for a terminal.
 * @param {string[]} header
 * @param {(string | number)[][]} rows
 */
export function formatTable(header, rows) {
  const table = [header, ...rows.map((row) => row.map(String))];
  const widths = header.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
