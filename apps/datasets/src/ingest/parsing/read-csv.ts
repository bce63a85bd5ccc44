import { parseCsvRecord, UNCLOSED_QUOTE, type CsvRecord } from './parse-csv-record.js';
import { MAX_ROW_BYTES, reject, type ParsedRow, type Rejection } from './raw-row.js';
import { decodeText, rejectTooLong } from './split-lines.js';

const NEWLINE = 0x0a;
const DELIMITERS = [',', ';', '\t', '|'];
const QUOTE = '"';

/**
 * Parses the records of a CSV file; the first one names the columns. No available parser has what we need: it skips
 * records that are too long without keeping them in memory, distinguishes an empty field from `""`, and reports the line and
 * text of a record that it cannot parse.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  onHeader?: (names: readonly string[]) => void,
): AsyncGenerator<ParsedRow[]> {
  const records = new RecordReader(onHeader);
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end === -1) {
      rest.push(chunk);
      // Text without a line end is passed on in pieces, so that a record that is too long does not fill the memory.
      if (rest.reduce((length, { length: more }) => length + more, 0) <= MAX_ROW_BYTES) continue;
      yield records.push(decodeText(Buffer.concat(rest)), true);
      rest = [];
      if (records.hasEnded) return;
      continue;
    }
    yield records.push(decodeText(Buffer.concat([...rest, chunk.subarray(0, end + 1)])), true);
    if (records.hasEnded) return;
    rest = [chunk.subarray(end + 1)];
  }
  yield records.push(decodeText(Buffer.concat(rest)), false);
}

class RecordReader {
  /** The header is invalid, so the columns are not known and nothing more can be read. */
  hasEnded = false;
  private header: string[] | null = null;
  private delimiter = ',';
  /** Text of an incomplete record. */
  private rest = '';
  private line = 1;
  private skipped: { rejection: Rejection; inQuotes: boolean } | null = null;

  constructor(private readonly onHeader: (names: readonly string[]) => void = () => undefined) {}

  push(more: string, follows: boolean): ParsedRow[] {
    const rows: ParsedRow[] = [];
    const text = this.rest + more;
    let at = this.skipped ? this.skip(text, rows) : 0;
    while (at < text.length && !this.skipped && !this.hasEnded) {
      const record = this.parse(text, at, follows);
      if (!record) break;
      this.addRow(record, text, at, rows);
      at = record.next;
    }
    this.rest = this.skipped ? '' : text.slice(at);
    if (this.rest.length > MAX_ROW_BYTES && !this.header) this.rejectHeader(rejectTooLong(this.line, this.rest), rows);
    if (this.hasEnded) return rows;
    if (this.rest.length > MAX_ROW_BYTES) this.beginSkipping();
    if (!follows && this.skipped) rows.push({ ...this.skipped.rejection, broken: true });
    return rows;
  }

  private parse(text: string, at: number, follows: boolean): CsvRecord | null {
    if (!this.header) {
      const end = text.indexOf('\n', at);
      if (end === -1 && follows) return null;
      this.delimiter = findDelimiter(text.slice(at, end === -1 ? text.length : end));
    }
    return parseCsvRecord(text, at, this.delimiter, follows);
  }

  private addRow({ next, fields, problem }: CsvRecord, text: string, at: number, rows: ParsedRow[]): void {
    const { line, header } = this;
    const raw = text.slice(at, next).replace(/\r?\n$/, '');
    this.line += countLines(text, at, next);
    if ((fields.length === 1 && fields[0] === null) || (!header && raw.trim() === '')) return;
    const rejection =
      problem !== undefined ? reject(line, problem, raw) : raw.length > MAX_ROW_BYTES ? rejectTooLong(line, raw) : null;
    if (rejection && !header) this.rejectHeader(rejection, rows);
    else if (rejection) {
      const broken = next >= text.length && problem === UNCLOSED_QUOTE;
      rows.push({ ...rejection, ...(broken && { broken }) });
    } else if (!header) this.onHeader((this.header = nameColumns(fields)));
    else if (fields.length > header.length) {
      rows.push(reject(line, `has ${fields.length} fields, but the header has ${header.length}`, raw));
    } else rows.push({ line, text: raw, names: header, values: fields });
  }

  private rejectHeader(rejection: Rejection, rows: ParsedRow[]): void {
    rows.push({ ...rejection, reason: `the header ${rejection.reason}`, broken: true });
    this.hasEnded = true;
  }

  private beginSkipping(): void {
    const inQuotes = (this.rest.split(QUOTE).length - 1) % 2 === 1;
    this.skipped = { rejection: rejectTooLong(this.line, this.rest), inQuotes };
    this.line += countLines(this.rest, 0, this.rest.length);
    this.rest = '';
  }

  /** Skips the rest of a record that is too long. @returns the position of the next record */
  private skip(text: string, rows: ParsedRow[]): number {
    const { skipped } = this;
    for (let at = 0; skipped && at < text.length; at++) {
      if (text[at] === QUOTE) skipped.inQuotes = !skipped.inQuotes;
      if (text[at] !== '\n') continue;
      this.line++;
      if (skipped.inQuotes) continue;
      rows.push(skipped.rejection);
      this.skipped = null;
      return at + 1;
    }
    return text.length;
  }
}

/** The delimiter that is most frequent in the first line outside of quotes. */
function findDelimiter(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
  return counts.reduce((best, candidate) => (candidate.count > best.count ? candidate : best)).delimiter;
}

/** Names the columns. A repeated name gets ` (2)`; an empty one becomes `column_3` by its position. */
function nameColumns(fields: (string | null)[]): string[] {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return fields.map((field, at) => {
    const name = field === null || field.trim() === '' ? `column_${at + 1}` : field;
    let [unique, count] = [name, counts.get(name) ?? 1];
    while (used.has(unique)) unique = `${name} (${++count})`;
    counts.set(name, count);
    used.add(unique);
    return unique;
  });
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
