/** A fragment of HTML. Plain texts are escaped when they are inserted into a template. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | null | readonly Html[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeText = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Template tag that escapes inserted texts, for content and for quoted attributes; null is omitted. */
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
