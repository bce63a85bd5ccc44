const MAX_LINE_LENGTH = 100;

/** Line breaks, other control characters, and marks that change the direction of the text. */
const BREAKS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/**
 * Converts a name that a user chose to one safe line of a mail. Otherwise an inviting user could write any text in the
 * platform's name. A space after each dot keeps mail programs from making links (`evil.example`).
 */
export function toPlainLine(text: string): string {
  const line = toPlainParagraph(text)
    .replace(/[.。．｡](?=\S)/g, '. ')
    .replace(/:\/+/g, ' ');
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH).toWellFormed()}…` : line;
}

/** Converts a user's text to one paragraph. */
export const toPlainParagraph = (text: string): string => text.replace(BREAKS, ' ').trim();

/** Dots of host names (in all scripts) and IP addresses, but not that of `1.0 s`. */
const DOTS = /[.。．｡](?=\p{L})|(?<=\d\.\d{1,3})\.(?=\d)/gu;

/** Changes a user's text so that mail programs make no links from it: all links of a mail are the platform's own. */
export const withoutLinks = (text: string): string => text.replace(DOTS, '. ').replace(/:\/+/g, ' ');
