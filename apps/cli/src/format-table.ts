import { toLine } from './to-line.js';

/** Formats rows under their headings, with columns as wide as their longest value. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = [headings, ...rows].map((row) => row.map(toLine));
  const widths = headings.map((_, column) =>
    table.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  );
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
