/** As many characters as a client may give. */
const MAX_NAME_LENGTH = 255;

/** The beginning of a name, with room left for what is put behind it; no character is cut in half. */
export function truncateName(name: string, room = 0): string {
  const most = MAX_NAME_LENGTH - room;
  return name.length <= most ? name : name.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
