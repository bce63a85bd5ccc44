import { decodeText } from '../content/decode-text.js';
import { parseCsvRecord, type CsvRecord } from './parse-csv-record.js';
import { MAX_ROW_BYTES, reject, type ParsedRow, type Rejection } from './raw-row.js';
import { rejectTooLong } from './split-lines.js';

const NEWLINE = 0x0a;
const DELIMITERS = [',', ';', '\t', '|'];
const QUOTE = '"';

/**
 * The records of a CSV file, whose first says what its columns are called. Own code, for what we need of a parser is not
 * to be had: records that are too long are passed over without being held, an empty field is told from `""`, and of what
 * cannot be read there is the line and the text.
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
      // Without a line's end text is passed on as it comes, so that what is too long is not held.
      if (rest.reduce((length, { length: more }) => length + more, 0) <= MAX_ROW_BYTES) continue;
      yield records.push(decodeText(Buffer.concat(rest)), true);
      rest = [];
      if (records.ended) return;
      continue;
    }
    yield records.push(decodeText(Buffer.concat([...rest, chunk.subarray(0, end + 1)])), true);
    if (records.ended) return;
    rest = [chunk.subarray(end + 1)];
  }
  yield records.push(decodeText(Buffer.concat(rest)), false);
}

class RecordReader {
  /** Nothing more can be read: what the columns are is not known. */
  ended = false;
  private header: string[] | null = null;
  private delimiter = ',';
  /** Of a record that has not ended. */
  private rest = '';
  private line = 1;
  private skipped: { rejected: Rejection; inQuotes: boolean } | null = null;

  constructor(private readonly onHeader: (names: readonly string[]) => void = () => undefined) {}

  push(more: string, follows: boolean): ParsedRow[] {
    const items: ParsedRow[] = [];
    const text = this.rest + more;
    let at = this.skipped ? this.skip(text, items) : 0;
    while (at < text.length && !this.skipped && !this.ended) {
      const record = this.parse(text, at, follows);
      if (!record) break;
      this.take(record, text, at, items);
      at = record.next;
    }
    this.rest = this.skipped ? '' : text.slice(at);
    if (this.rest.length > MAX_ROW_BYTES && !this.header) this.end(rejectTooLong(this.line, this.rest), items);
    if (this.ended) return items;
    if (this.rest.length > MAX_ROW_BYTES) this.beginSkipping();
    if (!follows && this.skipped) items.push({ ...this.skipped.rejected, broken: true });
    return items;
  }

  private parse(text: string, at: number, follows: boolean): CsvRecord | null {
    if (!this.header) {
      const end = text.indexOf('\n', at);
      if (end === -1 && follows) return null;
      this.delimiter = findDelimiter(text.slice(at, end === -1 ? text.length : end));
    }
    return parseCsvRecord(text, at, this.delimiter, follows);
  }

  private take({ next, fields, problem }: CsvRecord, text: string, at: number, items: ParsedRow[]): void {
    const { line, header } = this;
    const raw = text.slice(at, next).replace(/\r?\n$/, '');
    this.line += countLines(text, at, next);
    if ((fields.length === 1 && fields[0] === null) || (!header && raw.trim() === '')) return;
    const bad =
      problem !== undefined ? reject(line, problem, raw) : raw.length > MAX_ROW_BYTES ? rejectTooLong(line, raw) : null;
    if (bad && !header) this.end(bad, items);
    else if (bad) {
      const broken = next >= text.length && problem?.includes('not closed');
      items.push({ ...bad, ...(broken && { broken }) });
    } else if (!header) this.onHeader((this.header = nameColumns(fields)));
    else if (fields.length > header.length) {
      items.push(reject(line, `has ${fields.length} fields, and the header ${header.length}`, raw));
    } else items.push({ line, text: raw, names: header, values: fields });
  }

  private end(header: Rejection, items: ParsedRow[]): void {
    items.push({ ...header, reason: `the header ${header.reason}`, broken: true });
    this.ended = true;
  }

  private beginSkipping(): void {
    const inQuotes = (this.rest.split(QUOTE).length - 1) % 2 === 1;
    this.skipped = { rejected: rejectTooLong(this.line, this.rest), inQuotes };
    this.line += countLines(this.rest, 0, this.rest.length);
    this.rest = '';
  }

  /** Passes over what is left of a record that is too long. @returns where the next begins */
  private skip(text: string, items: ParsedRow[]): number {
    const { skipped } = this;
    for (let at = 0; skipped && at < text.length; at++) {
      if (text[at] === QUOTE) skipped.inQuotes = !skipped.inQuotes;
      if (text[at] !== '\n') continue;
      this.line++;
      if (skipped.inQuotes) continue;
      items.push(skipped.rejected);
      this.skipped = null;
      return at + 1;
    }
    return text.length;
  }
}

/** The one that the first line has most of, outside of quotes. */
function findDelimiter(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, '');
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

/** A name that is there already gets ` (2)`, an empty one is that of its place. */
function nameColumns(fields: (string | null)[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return fields.map((field, at) => {
    const name = field === null || field.trim() === '' ? `column_${at + 1}` : field;
    let [unique, count] = [name, counts.get(name) ?? 1];
    while (taken.has(unique)) unique = `${name} (${++count})`;
    counts.set(name, count);
    taken.add(unique);
    return unique;
  });
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
