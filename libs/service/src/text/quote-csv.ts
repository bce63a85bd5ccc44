/** Characters by which a spreadsheet recognizes a formula, including full-width ones (OWASP, "CSV Injection"). */
export const FORMULA_PREFIXES = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'] as const;

/** Characters at which a spreadsheet may start another cell within a text, with any delimiter. */
export const CELL_DELIMITERS = [';', '\t', '\r', '\n'] as const;

/**
 * A formula character that would start another cell, even in quotes. JavaScript and Postgres read the pattern alike.
 */
export const INNER_FORMULA = /([;\t\r\n]"*)([=+\-@＝＋－＠])/g;

/** The same for JSON, where tabs and line breaks are escaped. */
export const JSON_FORMULA = /;(?=[=+\-@＝＋－＠])/g;

/**
 * Prevents a spreadsheet from running a text as a formula: puts an apostrophe before each formula character that could
 * start a cell.
 */
export function guardFormula(text: string): string {
  const inner = text.replaceAll(INNER_FORMULA, "$1'$2");
  return FORMULA_PREFIXES.some((sign) => text.startsWith(sign)) ? `'${inner}` : inner;
}

const NEEDS_QUOTES = /[",\r\n]/;

/** Quotes a text as a CSV cell (RFC 4180) that a spreadsheet does not run as a formula. */
export function quoteCsv(text: string): string {
  const guarded = guardFormula(text);
  // A cell of spaces only would look like an empty line to some readers.
  return NEEDS_QUOTES.test(guarded) || guarded.trim() !== guarded ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
