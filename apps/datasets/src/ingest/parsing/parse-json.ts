import { rawJson } from './raw-json.js';

/**
 * Numbers that `JSON.parse` makes others of: -0, whole ones that are not written so, those of many digits. What ends them
 * belongs to it, for a text may hold `12:30:05.000Z`.
 */
const LONG_NUMBER = /[:,[]\s*(?:-0|-?\d+\.0+|-?\d+(?:\.\d+)?[eE][+-]?\d+|-?[\d.]{16,})\s*[,}\]]/;
/** Those, too, of which a double does not know how they were written: 1.50. */
const ANY_DECIMAL = /[:,[]\s*(?:-0|-?\d+\.\d+(?:[eE][+-]?\d+)?|-?\d+[eE][+-]?\d+|-?\d{16,})\s*[,}\]]/;

/** Postgres' own limit is the depth of its stack, some thousands. */
export const MAX_NESTING_LEVELS = 100;

/**
 * Reads JSON whose numbers keep their digits (as `RawJson`) where a double would not. With `digits` all of them keep
 * how they are written. That takes several times as long, so only texts that may hold such a number are read so.
 */
export function parseJson(text: string, digits = false): unknown {
  return (digits ? ANY_DECIMAL : LONG_NUMBER).test(text) ? JSON.parse(text, preserveNumber) : JSON.parse(text);
}

function preserveNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return isStorableNumber(value, source) ? rawJson(source) : source;
}

/** Postgres keeps 131,072 digits before the point and 16,383 after it; what is far from that is text to us. */
function isStorableNumber(value: number, source: string): boolean {
  return source.length <= 400 && Number.isFinite(value) && (value !== 0 || /^-?[0.]+(?:[eE]|$)/.test(source));
}

/** Whether arrays and objects lie in each other more than `levels` deep. */
export function isTooDeep(value: unknown, levels = MAX_NESTING_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((one) => typeof one === 'object' && isTooDeep(one, levels - 1));
}

/** Whether all strings and names in a value are what Postgres can hold: without NUL and halves of surrogate pairs. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value)
    ? value.every(isStorable)
    : Object.entries(value).every(([name, one]) => isStorable(name) && isStorable(one));
}
