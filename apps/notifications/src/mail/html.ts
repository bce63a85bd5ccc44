/** Markup that is safe to show as it is. */
export class Html {
  constructor(readonly markup: string) {}
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const render = (value: string | Html | Html[]): string => {
  if (Array.isArray(value)) return value.map(render).join('\n');
  return value instanceof Html ? value.markup : escape(value);
};

/** Markup from a template; every value that is not markup itself is escaped, for content and quoted attributes alike. */
export const html = (parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html =>
  new Html(String.raw({ raw: parts }, ...values.map(render)));
