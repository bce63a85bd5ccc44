import { randomInt } from 'node:crypto';

/** No vowels, which could form words, and no letters that look like others or like digits (RFC 8628, 6.1). */
export const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const GROUP_SIZE = 4;

/** Makes a code for users to type, such as `BCDF-GHJK`; 4.3 bits per letter. */
export function makeLetterCode(letters: number): string {
  const code = Array.from({ length: letters }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('');
  return code.replaceAll(new RegExp(`.{${GROUP_SIZE}}(?=.)`, 'g'), '$&-');
}

/** Normalizes a typed code: ignores case, spaces and hyphens. */
export const readLetterCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z]/g, '');
