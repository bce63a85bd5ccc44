import { parseObject } from './parse-object.js';
import { isRejection, type ParsedRow, type Rejection } from './raw-row.js';
import type { Line } from './split-lines.js';

/** Rows of what was split into lines or elements. Empty lines are none. */
export async function* readJson(
  split: AsyncIterable<(Line | Rejection)[]>,
  options: { preserveDigits: boolean },
): AsyncGenerator<ParsedRow[]> {
  for await (const lines of split) {
    yield lines
      .filter((line) => isRejectedLine(line) || line.text.trim() !== '')
      .map((line) => (isRejectedLine(line) ? line : parseObject(line, options.preserveDigits)));
  }
}

const isRejectedLine = (line: Line | Rejection): line is Rejection => isRejection(line as ParsedRow);
