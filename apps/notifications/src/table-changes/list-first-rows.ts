import type { MailTable } from '../mail/content/mail-details.js';
import { formatNumber } from './describe-counts.js';
import type { Match } from './find-subscriptions.js';

/** Columns and characters that a reader can take in, and a mail program can show. */
const MAX_COLUMNS = 6;
const MAX_CELL_LENGTH = 40;

/** The first rows of a change for a mail; absent if there are none. */
export function listFirstRows({ table, rows, columns, ...counts }: Match): MailTable | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  // A datasets service of an earlier version lists no columns.
  const names = columns ?? Object.keys(first.row);
  const shown = names.slice(0, MAX_COLUMNS);
  return {
    caption: writeCaption(rows.length, counts, table?.view != null),
    columns: ['', ...shown.map(shorten)],
    rows: rows.map(({ kind, row }) => [kind, ...shown.map((name) => shorten(toText(readOwn(row, name))))]),
    hiddenColumns: names.length - shown.length,
  };
}

function writeCaption(shown: number, counts: Pick<Match, 'new' | 'changed'>, isView: boolean): string {
  const total = Math.max(shown, counts.new + counts.changed);
  const kinds = [...(counts.new > 0 ? ['new'] : []), ...(counts.changed > 0 ? ['changed'] : [])].join(' and ');
  const kind = isView ? 'matching' : kinds;
  if (total > shown) return `The first ${shown === 1 ? '' : `${shown} `}of ${formatNumber(total)} ${kind} rows:`;
  return `The ${kind} ${total === 1 ? 'row' : 'rows'}:`;
}

const readOwn = (row: Record<string, unknown>, name: string): unknown => (Object.hasOwn(row, name) ? row[name] : null);

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const shorten = (text: string): string =>
  text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1).toWellFormed()}…` : text;
