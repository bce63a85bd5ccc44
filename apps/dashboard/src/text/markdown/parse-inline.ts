/** A piece of a line. */
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'strong' | 'emphasis'; children: Inline[] }
  | { type: 'link'; url: string; children: Inline[] };

/** The marks, in the order in which they apply at one position. Code comes first, because nothing in it is a mark. */
const MARKS = new RegExp(
  [
    String.raw`(?<ticks>${'`'}+)(?<code>[^]+?)(?<!${'`'})\k<ticks>(?!${'`'})`,
    String.raw`\\(?<escaped>[!-/:-@[-${'`'}{-~])`,
    String.raw`!?\[(?<label>[^\][]*)\]\((?<target>[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\)`,
    String.raw`<?(?<address>https?://[^\s<>]+)>?`,
    String.raw`\*\*(?<strong>(?!\s)[^]+?(?<!\s))\*\*`,
    String.raw`(?<![\w*])(?<mark>[*_])(?<emphasis>(?![\s*_])[^]+?(?<![\s*_]))\k<mark>(?![\w*])`,
  ].join('|'),
  'u',
);

/** Reads code, emphasis, links and escapes of CommonMark. HTML is text. */
export function parseInline(text: string): Inline[] {
  const found = MARKS.exec(text);
  if (!found?.groups) return text === '' ? [] : [{ type: 'text', text }];
  const { groups } = found;
  // Punctuation after an address ends the sentence.
  const dropped = groups['address'] ? (/[.,;:!?)'"]+$/.exec(groups['address'])?.[0].length ?? 0) : 0;
  const rest = text.slice(found.index + found[0].length - dropped);
  return joinTexts([
    ...(found.index > 0 ? [{ type: 'text' as const, text: text.slice(0, found.index) }] : []),
    ...toInline(groups, dropped),
    ...parseInline(rest),
  ]);
}

function toInline(groups: Record<string, string | undefined>, dropped: number): Inline[] {
  const { code, escaped, label, target, address, strong, emphasis } = groups;
  if (code !== undefined) return [{ type: 'code', text: code.trim() || code }];
  if (escaped !== undefined) return [{ type: 'text', text: escaped }];
  if (address !== undefined) {
    const url = address.slice(0, address.length - dropped);
    return [{ type: 'link', url, children: [{ type: 'text', text: url }] }];
  }
  if (label !== undefined && target !== undefined) return toLink(label, target);
  if (strong !== undefined) return [{ type: 'strong', children: parseInline(strong) }];
  return [{ type: 'emphasis', children: parseInline(emphasis ?? '') }];
}

/** A link to anything but a web or mail address is text: the document may come from anyone. */
function toLink(label: string, target: string): Inline[] {
  const children = parseInline(label === '' ? target : label);
  return /^(https?:\/\/|mailto:)/i.test(target) ? [{ type: 'link', url: target, children }] : children;
}

function joinTexts(parts: Inline[]): Inline[] {
  const joined: Inline[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}
