const LONGEST = 100;

/** Line breaks, other control characters, and marks that turn the direction of what follows. */
const BREAKS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/**
 * What people named themselves and their vaults, fit for a line of a mail: whoever may invite could otherwise write a
 * letter of their own in our name. A dot gets a space after it where a link would be made of it (`evil.example`).
 */
export function oneLine(given: string): string {
  const line = flatten(given)
    .replace(/[.。．｡](?=\S)/g, '. ')
    .replace(/:\/+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}

/** A text of somebody's as one paragraph. */
export const flatten = (given: string): string => given.replace(BREAKS, ' ').trim();

/** Dots of a name (also as others write them) and of an address, but not those of `1.0 s`. */
const DOTS = /[.。．｡](?=\p{L})|(?<=\d\.\d{1,3})\.(?=\d)/gu;

/** A text of somebody's in which mail programs find nothing to make a link of: all links of a mail are ours. */
export const withoutLinks = (given: string): string => given.replace(DOTS, '. ').replace(/:\/+/g, ' ');
