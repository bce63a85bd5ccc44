import { html, type Html } from '@millrace/service/text/html';
import type { MailTable } from './mail-details.js';
import { toPlainParagraph, withoutLinks } from './plain-text.js';

/** A table whose texts are safe in a mail: each is one line, and mail programs make no links from it. */
export function toSafeTable({ caption, columns, rows, hiddenColumns }: MailTable): MailTable {
  const toSafe = (text: string): string => withoutLinks(toPlainParagraph(text));
  return { caption, columns: columns.map(toSafe), rows: rows.map((row) => row.map(toSafe)), hiddenColumns };
}

/** Prints a table in columns of equal width, for a fixed-width font. */
export function printTable({ caption, columns, rows, hiddenColumns }: MailTable): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const printed = [columns, rule, ...rows].map((line) =>
    widths
      .map((width, at) => (line[at] ?? '').padEnd(width))
      .join('  ')
      .trimEnd(),
  );
  return [caption, '', ...printed, ...(hiddenColumns > 0 ? ['', describeHidden(hiddenColumns)] : [])].join('\n');
}

const CELL = 'padding:4px 12px 4px 0;border-bottom:1px solid #ddd;text-align:left;vertical-align:top';

export function renderTable({ caption, columns, rows, hiddenColumns }: MailTable): Html {
  const head = columns.map((name) => html`<th style="${CELL}">${name}</th>`);
  const body = rows.map(
    (row) =>
      html`<tr>
        ${row.map((cell) => html`<td style="${CELL}">${cell}</td>`)}
      </tr>`,
  );
  const hidden =
    hiddenColumns === 0
      ? null
      : html`<div style="margin:8px 0 0;font-size:13px;color:#555">${describeHidden(hiddenColumns)}</div>`;
  return html`<div style="margin:0 0 16px;overflow-x:auto">
    <div style="margin:0 0 8px">${caption}</div>
    <table style="border-collapse:collapse;font-size:14px">
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
    ${hidden}
  </div>`;
}

const describeHidden = (count: number): string =>
  count === 1 ? '1 more column is not shown.' : `${count} more columns are not shown.`;
