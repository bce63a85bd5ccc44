import { createReadStream } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';

const NEWLINE = 10;
const ESCAPES = /** @type {Record<string, string>} */ ({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' });

/**
 * A compressed file in COPY's text format, decompressed.
 * @param {string} file
 * @returns {import('node:stream').Readable}
 */
export function openCopyFile(file) {
  const source = createReadStream(file);
  const content = createZstdDecompress();
  source.on('error', (error) => content.destroy(error));
  return source.pipe(content);
}

/**
 * Reads some columns of each row. COPY escapes newlines in values, so each line is a row.
 * @param {AsyncIterable<Buffer>} content
 * @param {readonly number[]} indexes of the columns
 * @returns {AsyncGenerator<(string | null)[]>}
 */
export async function* readRows(content, indexes) {
  for await (const line of readLines(content)) {
    const fields = line.toString().split('\t');
    yield indexes.map((index) => parseField(fields[index] ?? '\\N'));
  }
}

/** @param {AsyncIterable<Buffer>} content */
async function* readLines(content) {
  /** @type {Buffer[]} */
  let begun = [];
  for await (const chunk of content) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, end);
      yield begun.length === 0 ? piece : Buffer.concat([...begun, piece]);
      begun = [];
      from = end + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

/**
 * @param {string} text
 * @returns {string | null}
 */
function parseField(text) {
  if (text === '\\N') return null;
  return text.includes('\\') ? text.replaceAll(/\\(.)/g, (_, character) => ESCAPES[character] ?? character) : text;
}

/**
 * Counts the rows in a part of a file.
 * @param {Buffer} chunk
 */
export function countLines(chunk) {
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
