/**
 * First characters by which a spreadsheet takes a text for a formula, those of full width included (OWASP, "CSV Injection").
 */
export const FORMULA_PREFIXES = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'] as const;

/** Where a spreadsheet may begin another cell inside of a text, whatever the delimiter was meant to be. */
export const CELL_DELIMITERS = [';', '\t', '\r', '\n'] as const;

/** A sign that would begin another cell, in quotes too. JavaScript and Postgres read it alike. */
export const INNER_FORMULA = /([;\t\r\n]"*)([=+\-@＝＋－＠])/g;

/** In JSON, where tabs and line breaks are escapes: what would end a cell before a sign. */
export const JSON_FORMULA = /;(?=[=+\-@＝＋－＠])/g;

/** A text that a spreadsheet shows and does not run: with an apostrophe before each sign by which it would. */
export function guardFormula(text: string): string {
  const inner = text.replaceAll(INNER_FORMULA, "$1'$2");
  return FORMULA_PREFIXES.some((sign) => text.startsWith(sign)) ? `'${inner}` : inner;
}
