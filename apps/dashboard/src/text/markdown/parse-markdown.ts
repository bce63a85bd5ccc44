import { parseInline, type Inline } from './parse-inline.js';

/** A block of a document. */
export type Block =
  | { type: 'heading'; level: number; children: Inline[] }
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'list'; isOrdered: boolean; items: Block[][] }
  | { type: 'rule' };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^ {0,3}([-*_])\s*(\1\s*){2,}$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;
const QUOTE = /^ {0,3}> ?/;

/** How deep lists and quotes may be nested. What is deeper is text. */
const MAX_DEPTH = 12;

/** Reads the common part of Markdown: headings, paragraphs, lists, quotes, fenced code. Everything else is text. */
export function parseMarkdown(source: string): Block[] {
  return parseBlocks(source.replaceAll('\r\n', '\n').replaceAll('\t', '    ').split('\n'), 0);
}

function parseBlocks(lines: string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const { block, end } = readBlock(lines, at, depth);
    blocks.push(block);
    at = end;
  }
  return blocks;
}

function readBlock(lines: string[], at: number, depth: number): { block: Block; end: number } {
  const line = lines[at] ?? '';
  const heading = HEADING.exec(line);
  if (heading)
    return {
      block: { type: 'heading', level: heading[1]?.length ?? 1, children: parseInline(heading[2] ?? '') },
      end: at + 1,
    };
  if (FENCE.test(line)) return readCode(lines, at);
  if (RULE.test(line)) return { block: { type: 'rule' }, end: at + 1 };
  if (depth < MAX_DEPTH && QUOTE.test(line)) return readQuote(lines, at, depth);
  if (depth < MAX_DEPTH && ITEM.test(line)) return readList(lines, at, depth);
  return readParagraph(lines, at);
}

function readCode(lines: string[], start: number): { block: Block; end: number } {
  const fence = FENCE.exec(lines[start] ?? '')?.[1] ?? '```';
  const rest = lines.slice(start + 1);
  const length = rest.findIndex(
    (line) => line.trim().startsWith(fence) && line.trim().replaceAll(fence[0] ?? '', '') === '',
  );
  const code = length === -1 ? rest : rest.slice(0, length);
  return { block: { type: 'code', text: code.join('\n') }, end: start + 1 + code.length + (length === -1 ? 0 : 1) };
}

function readQuote(lines: string[], start: number, depth: number): { block: Block; end: number } {
  let end = start;
  while (end < lines.length && QUOTE.test(lines[end] ?? '')) end += 1;
  const inner = lines.slice(start, end).map((line) => line.replace(QUOTE, ''));
  return { block: { type: 'quote', blocks: parseBlocks(inner, depth + 1) }, end };
}

/** A list ends with the first line that is neither an item nor indented, except blank lines between its items. */
function readList(lines: string[], start: number, depth: number): { block: Block; end: number } {
  const isOrdered = /\d/.test(ITEM.exec(lines[start] ?? '')?.[2] ?? '');
  const items: string[][] = [];
  let width = 0;
  let end = start;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    const item = RULE.test(line) ? null : ITEM.exec(line);
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const isNested = items.length > 0 && indent >= width;
    if (line.trim() === '') {
      if (!continuesAfterBlank(lines, end, width, isOrdered)) break;
      items.at(-1)?.push('');
    } else if (isNested) items.at(-1)?.push(line.slice(width));
    else if (item && /\d/.test(item[2] ?? '') === isOrdered) {
      width = item[0].length + (item[3] === '' ? 1 : 0);
      items.push([line.slice(item[0].length)]);
    } else if (startsBlock(line) || (lines[end - 1] ?? '').trim() === '') break;
    else items.at(-1)?.push(line.trim());
  }
  return { block: { type: 'list', isOrdered, items: items.map((item) => parseBlocks(item, depth + 1)) }, end };
}

function continuesAfterBlank(lines: string[], at: number, width: number, isOrdered: boolean): boolean {
  const next = lines.slice(at).find((line) => line.trim() !== '');
  if (next === undefined) return false;
  const item = ITEM.exec(next);
  return next.startsWith(' '.repeat(width)) || (item !== null && /\d/.test(item[2] ?? '') === isOrdered);
}

const startsBlock = (line: string): boolean => [HEADING, FENCE, RULE, QUOTE, ITEM].some((mark) => mark.test(line));

function readParagraph(lines: string[], start: number): { block: Block; end: number } {
  let end = start + 1;
  while (end < lines.length && lines[end]?.trim() !== '' && !startsBlock(lines[end] ?? '')) end += 1;
  const text = lines.slice(start, end).map((line) => line.trim());
  return { block: { type: 'paragraph', children: parseInline(text.join('\n')) }, end };
}
