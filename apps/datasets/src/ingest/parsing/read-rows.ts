import type { Readable } from 'node:stream';
import { BrokenContentError, decompress, detectEncoding, limitContent, type Encoding } from '../content/decompress.js';
import { findContentLimit, type LoadLimits } from '../content/load-limits.js';
import { peek, detectFormat, type Format } from './detect-format.js';
import type { ParsedRow } from './raw-row.js';
import { readCsv } from './read-csv.js';
import { readJson } from './read-json.js';
import { decodePrefix, splitLines } from './split-lines.js';
import { splitValues } from './split-values.js';

/** Bytes from which the format of a file is detected. */
const DETECTION_BYTES = 64 * 1024;
const [NEWLINE, RETURN] = [0x0a, 0x0d];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface RowSource {
  /** Name of the file. Its ending may show the format. */
  name: string;
  /** Null if it has to be detected. */
  format: Format | null;
  encoding: Encoding | null;
  /** Bytes of the stored file. */
  size: number;
  open(): Readable;
}

export interface RowOptions {
  /** Numbers keep the form that they have in the file. */
  preserveDigits: boolean;
  limits: LoadLimits;
  onBytes(count: number): void;
  /** Receives the columns of a CSV file, which may have no rows. */
  onHeader?: (names: readonly string[]) => void;
}

export interface RowChunk {
  /** Values are texts of CSV cells, which have no types of their own. */
  untyped: boolean;
  rows: ParsedRow[];
}

/**
 * Reads all rows of a file in chunks. At most some MiB of the file are in memory at once.
 * @throws LoadTooLarge
 */
export async function* readRows(source: RowSource, options: RowOptions): AsyncGenerator<RowChunk> {
  const content = source.open();
  let count = 0;
  try {
    const raw = await peek(countBytes(content, options), 4);
    const encoding = source.encoding ?? detectEncoding(raw.beginning);
    const limit = findContentLimit(source.size, encoding, options.limits);
    const plain = limitContent(decompress(raw.all, encoding), limit);
    const { beginning, all } = await peek(stripByteOrderMark(plain), DETECTION_BYTES);
    const lines = usesReturns(beginning) ? replaceReturns(all) : all;
    const format = source.format ?? detectFormat(source.name, decodePrefix(beginning));
    for await (const rows of parseRows(format, lines, options)) {
      count += rows.length;
      yield { untyped: format === 'csv', rows };
    }
  } catch (error) {
    if (!(error instanceof BrokenContentError)) throw error;
    const reason = `cannot be decompressed: ${error.message}`;
    yield { untyped: false, rows: [{ line: count + 1, reason, text: '', broken: true }] };
  } finally {
    content.destroy();
  }
}

function parseRows(format: Format, content: AsyncGenerator<Buffer>, options: RowOptions): AsyncGenerator<ParsedRow[]> {
  if (format === 'csv') return readCsv(content, options.onHeader);
  return readJson(format === 'ndjson' ? splitLines(content) : splitValues(content), options);
}

async function* countBytes(content: Readable, options: RowOptions): AsyncGenerator<Buffer> {
  for await (const chunk of content as AsyncIterable<Buffer>) {
    options.onBytes(chunk.length);
    yield chunk;
  }
}

async function* stripByteOrderMark(content: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const { beginning, all } = await peek(content, BYTE_ORDER_MARK.length);
  const marked = beginning.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  yield marked ? beginning.subarray(BYTE_ORDER_MARK.length) : beginning;
  await all.next();
  yield* all;
}

/** Whether lines end with CR alone, as in files of old spreadsheets. The last one may end with CR LF. */
const usesReturns = (beginning: Buffer): boolean =>
  !beginning.includes(NEWLINE) && beginning.subarray(0, -1).includes(RETURN);

async function* replaceReturns(content: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    const copy = Buffer.from(chunk);
    for (let at = copy.indexOf(RETURN); at !== -1; at = copy.indexOf(RETURN, at + 1)) copy[at] = NEWLINE;
    yield copy;
  }
}
