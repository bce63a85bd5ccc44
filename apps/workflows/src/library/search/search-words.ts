/** What parts words, in names such as `csv-to-json` too; ASCII, so that Postgres and this file agree on it. */
export const PUNCTUATION = `-_/.,:;|+&@#!?()[]{}<>=*'"\`~^%$\\`;

const between = new RegExp(`[\\s${PUNCTUATION.replace(/[\\\]^-]/g, '\\$&')}]+`, 'u');

/**
 * The words that a user looks for, as full text queries of Postgres (manual, 8.11.2): a record must have `all`, and is
 * ranked by `any`. A word is found by its beginning. Null where nothing is left to look for.
 */
export function searchWords(search: string): { all: string; any: string } | null {
  const words = search
    .toLowerCase()
    .split(between)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
  const terms = words.map((word) => `'${word}':*`);
  return { all: terms.join(' & '), any: terms.join(' | ') };
}
