import { isTooDeep, MAX_NESTING_LEVELS, parseJson } from './parse-json.js';
import { isRejection, reject, type ParsedRow, type Rejection } from './raw-row.js';
import type { Line } from './split-lines.js';

/** Parses rows of JSON from lines or array elements. Skips empty lines. */
export async function* readJson(
  split: AsyncIterable<(Line | Rejection)[]>,
  options: { preserveDigits: boolean },
): AsyncGenerator<ParsedRow[]> {
  for await (const lines of split) {
    yield lines
      .filter((line) => isRejectedLine(line) || line.text.trim() !== '')
      .map((line) => (isRejectedLine(line) ? line : parseRow(line, options.preserveDigits)));
  }
}

const isRejectedLine = (line: Line | Rejection): line is Rejection => isRejection(line as ParsedRow);

function parseRow({ line, text, unterminated }: Line, preserveDigits: boolean): ParsedRow {
  let value: unknown;
  try {
    value = parseJson(text, preserveDigits);
  } catch (error) {
    const rejection = reject(line, `is not valid JSON: ${(error as Error).message}`, text);
    // A last line without an end was cut off.
    return { ...rejection, ...(unterminated && { broken: unterminated }) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return reject(line, 'is not a JSON object', text);
  }
  // The row itself is one more level.
  if (isTooDeep(value, MAX_NESTING_LEVELS + 1)) {
    return reject(line, `is nested deeper than ${MAX_NESTING_LEVELS} levels`, text);
  }
  return { line, text, names: Object.keys(value), values: Object.values(value) };
}
