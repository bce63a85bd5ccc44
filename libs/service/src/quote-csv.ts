import { guardFormula } from './guard-formula.js';

const NEEDS_QUOTES = /[",\r\n]/;

/** Quotes a text as a CSV cell (RFC 4180) that a spreadsheet does not run as a formula. */
export function quoteCsv(text: string): string {
  const guarded = guardFormula(text);
  // A cell of spaces only would look like an empty line to some readers.
  return NEEDS_QUOTES.test(guarded) || guarded.trim() !== guarded ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
