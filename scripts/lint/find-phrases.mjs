import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { matchPhrases } from './match-phrases.mjs';

/** Pages that quote unclear wording as examples. */
const QUOTES = ['CONTRIBUTING.md'];

/** How a comment begins in files that are neither pages nor linted by oxlint. The whole text of other files is checked. */
const COMMENT = /** @type {Record<string, RegExp>} */ ({
  '.pl': /(?:^|\s)#/,
  '.prisma': /\/\//,
  '.yaml': /(?:^|\s)#/,
  '.yml': /(?:^|\s)#/,
});

/**
 * Finds phrases in a page, or in the comments of a Prisma, Perl or YAML file, that the project does not use.
 * @param {string} root
 * @param {string} page path below the root
 * @returns {string[]} one line for each
 */
export function findPhrases(root, page) {
  if (QUOTES.includes(page)) return [];
  const text = onlyComments(readFileSync(join(root, page), 'utf8'), COMMENT[extname(page)]);
  return matchPhrases(text).map(({ index, message }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${page}:${line}: ${message}`;
  });
}

/**
 * Removes the code before each comment and keeps the number of lines. A line of code becomes empty and ends a paragraph.
 * @param {string} text
 * @param {RegExp | undefined} comment
 */
function onlyComments(text, comment) {
  if (!comment) return text;
  const commentOf = (/** @type {string} */ line) => line.slice(comment.exec(line)?.index ?? line.length).trim();
  return text.split('\n').map(commentOf).join('\n');
}
