/** The limit for names in requests. */
const MAX_NAME_LENGTH = 255;

/** Truncates a name to the maximum length minus `room`, the length of a suffix. Does not split surrogate pairs. */
export function truncateName(name: string, room = 0): string {
  const limit = MAX_NAME_LENGTH - room;
  return name.length <= limit ? name : name.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
}
