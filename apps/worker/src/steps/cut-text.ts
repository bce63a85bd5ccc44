/** Cuts a text to at most `maxLength` UTF-16 units, and never within a character. */
export function cutText(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength);
  return /[\uD800-\uDBFF]$/.test(cut) && cut.length < text.length ? cut.slice(0, -1) : cut;
}
