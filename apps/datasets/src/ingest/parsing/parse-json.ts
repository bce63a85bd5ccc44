/** A number in the form of its source text (ECMAScript 2026, JSON.parse source text access). */
interface RawJson {
  rawJSON: string;
}

/** TypeScript's standard library does not declare these functions yet. */
const json = JSON as typeof JSON & {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

/** A value that `JSON.stringify` writes unmodified. */
const rawJson = (text: string): RawJson => json.rawJSON(text);
export const isRawJson = (value: unknown): value is RawJson => json.isRawJSON(value);

/**
 * A number whose form `JSON.parse` loses: -0, an integer in another notation, or one with many digits. The delimiter behind
 * it is part of the pattern, because a text may contain `12:30:05.000Z`.
 */
const LONG_NUMBER = /[:,[]\s*(?:-0|-?\d+\.0+|-?\d+(?:\.\d+)?[eE][+-]?\d+|-?[\d.]{16,})\s*[,}\]]/;
/** Also numbers whose form a double does not keep, such as 1.50. */
const ANY_DECIMAL = /[:,[]\s*(?:-0|-?\d+\.\d+(?:[eE][+-]?\d+)?|-?\d+[eE][+-]?\d+|-?\d{16,})\s*[,}\]]/;

/** Nesting levels of a value that can be stored. Postgres itself is limited by its stack depth, some thousands. */
export const MAX_NESTING_LEVELS = 100;

/**
 * Parses JSON. A number that a double cannot represent keeps its digits (as `RawJson`). This takes several times as long as
 * `JSON.parse` alone, so it is used only if a text may contain such a number.
 * @param preserveDigits keep the form of all numbers
 */
export function parseJson(text: string, preserveDigits = false): unknown {
  const hasSpecialNumbers = (preserveDigits ? ANY_DECIMAL : LONG_NUMBER).test(text);
  return hasSpecialNumbers ? JSON.parse(text, preserveNumber) : JSON.parse(text);
}

function preserveNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return isStorableNumber(value, source) ? rawJson(source) : source;
}

/** Postgres stores 131,072 digits before the point and 16,383 after it. Numbers far beyond a double become text instead. */
function isStorableNumber(value: number, source: string): boolean {
  return source.length <= 400 && Number.isFinite(value) && (value !== 0 || /^-?[0.]+(?:[eE]|$)/.test(source));
}

/** Whether arrays and objects are nested more than `levels` deep. */
export function isTooDeep(value: unknown, levels = MAX_NESTING_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((child) => typeof child === 'object' && isTooDeep(child, levels - 1));
}

/** Whether Postgres can store all strings and names in a value: no NUL and no half of a surrogate pair. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value)
    ? value.every(isStorable)
    : Object.entries(value).every(([name, child]) => isStorable(name) && isStorable(child));
}
