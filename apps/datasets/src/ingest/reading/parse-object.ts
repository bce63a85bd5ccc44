import { isTooDeep, MAX_LEVELS, parseJson } from './json-text.js';
import { reject, type Item } from './raw-row.js';
import type { Line } from './split-lines.js';

/** Reads the line, or the element, that holds a row. `digits`: all numbers are kept as they are written. */
export function parseObject({ line, text, open }: Line, digits: boolean): Item {
  let value: unknown;
  try {
    value = parseJson(text, digits);
  } catch (error) {
    // Without a line's end it is one that was cut off.
    return { ...reject(line, `is no JSON: ${(error as Error).message}`, text), ...(open && { broken: open }) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return reject(line, 'is no JSON object', text);
  }
  // The row itself is one level more.
  if (isTooDeep(value, MAX_LEVELS + 1)) return reject(line, `is nested deeper than ${MAX_LEVELS} levels`, text);
  return { line, text, names: Object.keys(value), values: Object.values(value) };
}
