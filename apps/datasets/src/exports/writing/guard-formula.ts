/**
 * First characters by which a spreadsheet takes a text for a formula, those of full width included (OWASP, "CSV Injection").
 */
export const FORMULA_SIGNS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'] as const;

/** A text that a spreadsheet shows and does not run: with an apostrophe before it where it would. */
export const guardFormula = (text: string): string =>
  FORMULA_SIGNS.some((sign) => text.startsWith(sign)) ? `'${text}` : text;
