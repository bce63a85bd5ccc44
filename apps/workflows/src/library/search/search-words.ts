/** Characters that separate words, also in names such as `csv-to-json`. ASCII, so that Postgres and this file agree. */
export const PUNCTUATION = `-_/.,:;|+&@#!?()[]{}<>=*'"\`~^%$\\`;

const separator = new RegExp(`[\\s${PUNCTUATION.replace(/[\\\]^-]/g, '\\$&')}]+`, 'u');

/**
 * The words of a search as full-text queries of Postgres (manual, 8.11.2). A record must match `all` and is ranked by
 * `any`. A word matches by its beginning. Null if the search contains no word.
 */
export function searchWords(search: string): { all: string; any: string } | null {
  const words = search
    .toLowerCase()
    .split(separator)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
  const terms = words.map((word) => `'${word}':*`);
  return { all: terms.join(' & '), any: terms.join(' | ') };
}
