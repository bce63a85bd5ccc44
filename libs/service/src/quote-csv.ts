import { guardFormula } from './guard-formula.js';

const TO_QUOTE = /[",\r\n]/;

/** A text as a cell of a CSV (RFC 4180) that a spreadsheet shows and does not run. */
export function quoteCsv(text: string): string {
  const guarded = guardFormula(text);
  // A single name of spaces alone would look like an empty line to some readers.
  return TO_QUOTE.test(guarded) || guarded.trim() !== guarded ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
