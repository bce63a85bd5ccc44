import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapeChatLine, escapeChatLines } from './escape-chat-text.js';

it.each([
  ['@everyone and @channel', '@\u200beveryone and @\u200bchannel'],
  ['[x](http://evil.example) [x][y]', '[x]\u200b(http://evil.example) [x]\u200b[y]'],
  ['*b* ~s~ `c` ||spoiler||', "\u2217b\u2217 \u223cs\u223c 'c' |\u200b|spoiler|\u200b|"],
  ['_i_ __init__ port_scan', '\uff3fi\uff3f \uff3f\uff3finit\uff3f\uff3f port_scan'],
  ['two\r\nlines\u2028and\tmore\u0007', 'two lines and more '],
  ['\u202egnp.exe\u2066', 'gnp.exe'],
  ['<!here> & co', '&lt;!here&gt; &amp; co'],
])('the text %j is shown literally', (text, shown) => {
  expect(escapeChatLine(text)).toBe(shown);
});

it('lines in a code block stay lines and cannot end the block', () => {
  expect(escapeChatLines('```\r\n@here\t\u202e*x*')).toBe("''' \n@\u200bhere *x*");
});

it('escaped text contains nothing that a chat interprets', () => {
  const units = [
    '@',
    '*',
    '_',
    '~',
    '`',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '&',
    '|',
    '\n',
    '\0',
    '\u202e',
    'a',
    'é',
    '😀',
    '\ud800',
  ];
  const hostile = fc.string({ unit: fc.constantFrom(...units), maxLength: 60 });
  fc.assert(
    fc.property(hostile, (text) => {
      const line = escapeChatLine(text);
      expect(line).not.toMatch(/@(?!\u200b)|[*~`<>\n\0\u202e]|\]\(|\]\[|\|\||&(?!(amp|lt|gt);)/);
      expect(line).not.toMatch(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u);
      expect(line.isWellFormed()).toBe(true);
      expect(escapeChatLines(text)).not.toMatch(/[`<>\0\u202e]/);
    }),
  );
});
