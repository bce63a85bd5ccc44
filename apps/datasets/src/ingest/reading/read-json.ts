import { parseObject } from './parse-object.js';
import { isRejected, type Item, type Rejected } from './raw-row.js';
import type { Line } from './split-lines.js';

/** Rows of what was split into lines or elements. Empty lines are none. */
export async function* readJson(
  split: AsyncIterable<(Line | Rejected)[]>,
  options: { digits: boolean },
): AsyncGenerator<Item[]> {
  for await (const lines of split) {
    yield lines
      .filter((line) => isRejectedLine(line) || line.text.trim() !== '')
      .map((line) => (isRejectedLine(line) ? line : parseObject(line, options.digits)));
  }
}

const isRejectedLine = (line: Line | Rejected): line is Rejected => isRejected(line as Item);
