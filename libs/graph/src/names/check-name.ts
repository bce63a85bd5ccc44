const encoder = new TextEncoder();

const MAX_NAME_BYTES = 255;
/** A UTF-16 code unit takes at most three bytes in UTF-8, so a shorter name always fits. */
const MAX_SAFE_LENGTH = MAX_NAME_BYTES / 3;

/**
 * Checks a name that becomes a directory below `in/`. Returns null, or what the name must be instead, as the end of a
 * sentence: `must not contain "/"`. File systems limit a name to 255 bytes, not to 255 characters.
 */
export function checkName(name: string): string | null {
  if (name === '') return 'must not be empty';
  if (name === '.' || name === '..') return 'must not be "." or ".."';
  if (name === '__proto__') return 'is reserved';
  if (name.includes('/')) return 'must not contain "/"';
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'must not contain control characters';
  if (!name.isWellFormed()) return 'must be valid Unicode';
  if (name.length > MAX_NAME_BYTES || (name.length > MAX_SAFE_LENGTH && encoder.encode(name).length > MAX_NAME_BYTES))
    return `must be at most ${MAX_NAME_BYTES} bytes long in UTF-8`;
  return null;
}

export const NAME_HINT = 'Use a name like "sort-1": letters, digits, ".", "_" and "-" are always accepted.';

const MAX_SHOWN_LENGTH = 80;

/** Quotes a name for a message: at most 80 characters, control characters escaped. */
export function showName(name: string): string {
  return JSON.stringify(name.length > MAX_SHOWN_LENGTH ? `${name.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : name);
}
