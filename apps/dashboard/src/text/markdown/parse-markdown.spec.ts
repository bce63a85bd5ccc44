import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseInline, type Inline } from './parse-inline.js';
import { parseMarkdown, type Block } from './parse-markdown.js';

const text = (value: string) => ({ type: 'text' as const, text: value });

describe('parseInline', () => {
  it('reads code, emphasis and links', () => {
    expect(parseInline('Use `-o *x*`, **very** *well*: [docs](https://a.test/b_(c)).')).toEqual([
      text('Use '),
      { type: 'code', text: '-o *x*' },
      text(', '),
      { type: 'strong', children: [text('very')] },
      text(' '),
      { type: 'emphasis', children: [text('well')] },
      text(': '),
      { type: 'link', url: 'https://a.test/b_(c)', children: [text('docs')] },
      text('.'),
    ]);
  });

  it('an address ends before the punctuation after it', () => {
    expect(parseInline('See https://a.test/x.')).toEqual([
      text('See '),
      { type: 'link', url: 'https://a.test/x', children: [text('https://a.test/x')] },
      text('.'),
    ]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.test', 'vbscript:x'])('%s is no link', (target) => {
    expect(parseInline(`[a](${target})`).some(({ type }) => type === 'link')).toBe(false);
  });

  it('snake_case_names, lone marks, escapes and HTML stay text', () => {
    expect(parseInline('a_b_c 2 * 3 * 4 \\*x\\* <b>')).toEqual([text('a_b_c 2 * 3 * 4 *x* <b>')]);
  });
});

describe('parseMarkdown', () => {
  it('reads headings, paragraphs, rules and code', () => {
    expect(parseMarkdown('# A #\n\none\ntwo\n---\n```sh\n# no heading\n\n```\nend')).toEqual([
      { type: 'heading', level: 1, children: [text('A')] },
      { type: 'paragraph', children: [text('one\ntwo')] },
      { type: 'rule' },
      { type: 'code', text: '# no heading\n' },
      { type: 'paragraph', children: [text('end')] },
    ]);
  });

  it('reads nested lists and quotes', () => {
    expect(parseMarkdown('- a\n  1. b\n- c\n  d\n\n> q\n> - r')).toEqual([
      {
        type: 'list',
        isOrdered: false,
        items: [
          [
            { type: 'paragraph', children: [text('a')] },
            { type: 'list', isOrdered: true, items: [[{ type: 'paragraph', children: [text('b')] }]] },
          ],
          [{ type: 'paragraph', children: [text('c\nd')] }],
        ],
      },
      {
        type: 'quote',
        blocks: [
          { type: 'paragraph', children: [text('q')] },
          { type: 'list', isOrdered: false, items: [[{ type: 'paragraph', children: [text('r')] }]] },
        ],
      },
    ]);
  });

  const source = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\n', '*', '_', '`', '-', '>', '#', '1', '.', '[', ']', '(', ')', '~', '\\'),
    maxLength: 200,
  });

  it('ends for every source, and keeps its letters', () => {
    const letters = (value: string) => value.replaceAll(/[^ab]/g, '');
    fc.assert(
      fc.property(source, (value) => {
        const [read, written] = [letters(blocksText(parseMarkdown(value))), letters(value)];
        // The info text of a fence and the target of a link are not shown.
        expect(written.length).toBeGreaterThanOrEqual(read.length);
        if (!/[`~(]/.test(value)) expect(read).toBe(written);
      }),
    );
  });
});

const inlineText = (parts: Inline[]): string =>
  parts.map((part) => ('children' in part ? inlineText(part.children) : part.text)).join('');

const blocksText = (blocks: Block[]): string =>
  blocks
    .map((block) => {
      if (block.type === 'rule') return '';
      if (block.type === 'code') return block.text;
      if (block.type === 'quote') return blocksText(block.blocks);
      if (block.type === 'list') return block.items.map(blocksText).join('');
      return inlineText(block.children);
    })
    .join('');
