import { BANNED_PHRASES } from './vocabulary.mjs';

/** A space, or a line break with the indentation and the comment marks of both lines. */
const GAP = String.raw`(?: +|[ \t]*\r?\n[ \t]*(?:\*|\/{2,3}|#+|>|--)?[ \t]*)`;

const toPattern = (/** @type {string} */ phrase) => `\\b(?:${phrase.replaceAll(' ', () => GAP)})\\b`;

const ANY = new RegExp(BANNED_PHRASES.map(([phrase = '']) => toPattern(phrase)).join('|'), 'gi');
const EACH = BANNED_PHRASES.map(([phrase = '', instead = '']) => ({
  pattern: new RegExp(`^${toPattern(phrase)}$`, 'i'),
  instead,
}));

/**
 * Finds the phrases in a text that the project does not use, also across the lines of one paragraph or comment.
 * @param {string} text
 * @returns {{ index: number, message: string }[]}
 */
export const matchPhrases = (text) =>
  [...text.matchAll(ANY)].map(({ index, 0: found }) => {
    const instead = EACH.find(({ pattern }) => pattern.test(found))?.instead;
    return { index, message: `instead of "${found.replaceAll(new RegExp(GAP, 'g'), ' ')}" write ${instead}` };
  });
