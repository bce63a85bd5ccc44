const encoder = new TextEncoder();

/**
 * What is wrong with a name that becomes a directory below `in/`, or null. File systems take 255 bytes, not characters.
 */
export function checkName(name: string): string | null {
  if (name === '') return 'is empty';
  if (name === '.' || name === '..') return 'is a directory of its own';
  if (name === '__proto__') return 'is reserved';
  if (name.includes('/')) return 'holds a slash';
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'holds a control character';
  if (!name.isWellFormed()) return 'is not valid Unicode';
  if (name.length > 255 || (name.length > 85 && encoder.encode(name).length > 255)) return 'is longer than 255 bytes';
  return null;
}

export const NAME_HINT = 'name it like "sort-1": letters, digits, ".", "_" and "-" always do';

/** A name as it can be shown in a message: shortened, control characters escaped. */
export function showName(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80).toWellFormed()}…` : name);
}
