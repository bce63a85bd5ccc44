/** Text that is HTML already. What is not is escaped where it is put into a template. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | null | readonly Html[];

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeText = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPED[character] ?? '');

/** Template tag: everything that is put in is escaped, for content as for quoted attributes; null is left out. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const rendered = parts.map((part) => renderPart(part));
  return new Html(strings.map((string, index) => string + (rendered[index] ?? '')).join(''));
}

function renderPart(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escapeText(String(part));
}
