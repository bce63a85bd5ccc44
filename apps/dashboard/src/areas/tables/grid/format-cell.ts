import type { ColumnType } from './column-layout.js';

export interface CellText {
  text: string;
  /** Whether the row has no value, which is not the same as an empty text. */
  isMissing: boolean;
}

/** Characters of a cell; nobody reads more of them in a row. */
const MAX_CHARACTERS = 400;

const cut = (text: string): string => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);

/** A value as its cell shows it: exact, because users compare and filter by it. */
export function formatCell(value: unknown, type: string): CellText {
  if (value === null || value === undefined) return { text: '', isMissing: true };
  if (type === 'timestamp') return { text: formatMoment(formatValue(value)), isMissing: false };
  return { text: cut(formatValue(value)), isMissing: false };
}

/** A value as text: JSON for arrays and objects, otherwise as it is. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return JSON.stringify(value);
}

/** `2026-06-14 12:00:00` in UTC, as queries read it, with fractions of a second if there are any. */
export function formatMoment(value: string): string {
  const match = /^(\d{4,}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(value);
  if (!match) return value;
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  return `${match[1]} ${match[2]}${fraction === '' ? '' : `.${fraction}`}`;
}

export const isRightAligned = (type: ColumnType): boolean => type === 'bigint' || type === 'double';
