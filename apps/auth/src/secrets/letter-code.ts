import { randomInt } from 'node:crypto';

/** No vowels, so that no word comes about, and no letter that is taken for another or for a digit (RFC 8628, 6.1). */
export const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const GROUP = 4;

/** A code that people type, like `BCDF-GHJK`; 4.3 bits a letter. */
export function makeLetterCode(letters: number): string {
  const code = Array.from({ length: letters }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('');
  return code.replaceAll(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$&-');
}

/** The letters of a code as it was typed: case, spaces and hyphens do not matter. */
export const readLetterCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z]/g, '');
