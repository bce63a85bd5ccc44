import { isTooDeep, MAX_NESTING_LEVELS, parseJson } from './parse-json.js';
import { reject, type ParsedRow } from './raw-row.js';
import type { Line } from './split-lines.js';

/** Reads the line, or the element, that holds a row. `digits`: all numbers are kept as they are written. */
export function parseObject({ line, text, unterminated }: Line, digits: boolean): ParsedRow {
  let value: unknown;
  try {
    value = parseJson(text, digits);
  } catch (error) {
    // Without a line's end it is one that was cut off.
    return {
      ...reject(line, `is no JSON: ${(error as Error).message}`, text),
      ...(unterminated && { broken: unterminated }),
    };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return reject(line, 'is no JSON object', text);
  }
  // The row itself is one level more.
  if (isTooDeep(value, MAX_NESTING_LEVELS + 1))
    return reject(line, `is nested deeper than ${MAX_NESTING_LEVELS} levels`, text);
  return { line, text, names: Object.keys(value), values: Object.values(value) };
}
