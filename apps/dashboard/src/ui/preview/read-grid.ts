/** Rows with named columns, read from the first part of a content. */
export interface Grid {
  columns: string[];
  /** Cells as texts; undefined where a row has no value. */
  rows: (string | undefined)[][];
}

/**
 * Reads CSV or TSV (RFC 4180). The first row names the columns.
 * @param isCut whether more follows, so that the last row may be incomplete
 */
export function readDelimited(text: string, separator: ',' | '\t' | ';', isCut: boolean): Grid {
  const records = splitRecords(text, separator);
  if (isCut && records.length > 1) records.pop();
  const [header = [], ...rows] = records;
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), header.length);
  const columns = Array.from({ length: width }, (_, at) => header[at] ?? `Column ${at + 1}`);
  return { columns, rows };
}

/** The separator that the first line has most often. Spreadsheets write semicolons in some countries. */
export function findSeparator(text: string): ',' | '\t' | ';' {
  const [line = ''] = text.split('\n', 1);
  const count = (separator: string) => line.split(separator).length;
  return ([',', ';', '\t'] as const).reduce((best, next) => (count(next) > count(best) ? next : best));
}

function splitRecords(text: string, separator: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const field = readField(text, at, separator);
    record.push(field.value);
    at = field.end + 1;
    if (text[field.end] === separator) {
      // A separator at the very end is followed by an empty field.
      if (at === text.length) record.push('');
      else continue;
    }
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  }
  return records;
}

/** @returns the value of the field at a position, and the position of the separator, the line end or the end after it */
function readField(text: string, start: number, separator: string): { value: string; end: number } {
  let quoted = '';
  let at = start;
  while (text[at] === '"') {
    const close = text.indexOf('"', at + 1);
    const end = close === -1 ? text.length : close;
    quoted += (at > start ? '"' : '') + text.slice(at + 1, end);
    at = end + 1;
  }
  let end = at;
  while (end < text.length && text[end] !== separator && text[end] !== '\n') end += 1;
  const rest = text.slice(at, end);
  return { value: quoted + (text[end] === '\n' || end === text.length ? rest.replace(/\r$/, '') : rest), end };
}

/**
 * Reads JSON lines. Columns are the fields of all objects, in the order of their first occurrence; a line that is no object is in
 * the column `value`. Lines that are not JSON are left out.
 */
export function readJsonLines(text: string, isCut: boolean): Grid {
  const lines = text.split('\n');
  if (isCut && lines.length > 1) lines.pop();
  const records = lines.flatMap((line) => parseLine(line));
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) =>
    columns.map((column) => (Object.hasOwn(record, column) ? writeCell(record[column]) : undefined)),
  );
  return { columns, rows };
}

function parseLine(line: string): Record<string, unknown>[] {
  if (line.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(line);
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [isRecord ? (value as Record<string, unknown>) : { value }];
  } catch {
    return [];
  }
}

const writeCell = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
