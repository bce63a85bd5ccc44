import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BANNED_PHRASES } from './vocabulary.mjs';

/** Pages that quote unclear wording as examples. */
const QUOTES = ['CONTRIBUTING.md'];

/**
 * Finds phrases in a page that the project does not use.
 * @param {string} root
 * @param {string} page path below the root
 * @returns {string[]} one line for each
 */
export function findPhrases(root, page) {
  if (QUOTES.includes(page)) return [];
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    BANNED_PHRASES.flatMap(([pattern, instead]) => {
      const [found] = /** @type {RegExp} */ (pattern).exec(line) ?? [];
      return found ? [`${page}:${index + 1}: instead of "${found}" write ${instead}`] : [];
    }),
  );
}
