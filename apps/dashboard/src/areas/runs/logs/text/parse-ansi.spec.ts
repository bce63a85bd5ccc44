import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseAnsi } from './parse-ansi.js';

const ESC = '\u001b';
const draw = (line: string) =>
  parseAnsi(line).map(({ text, className }) => (className ? `<${className}>${text}` : text));

it.each([
  ['plain', ['plain']],
  ['', []],
  [`${ESC}[31mred${ESC}[0m and ${ESC}[1;32mgreen`, ['<text-failed>red', ' and ', '<text-succeeded font-bold>green']],
  [`${ESC}[2mdim${ESC}[22m not`, ['<text-muted>dim', ' not']],
  [`${ESC}[38;5;196mred${ESC}[39m${ESC}[48;2;0;200;0m green`, ['<text-failed>red', '<bg-succeeded-soft> green']],
  [`${ESC}[mreset${ESC}[4;3mlook${ESC}[24;23m`, ['reset', '<italic underline>look']],
  [`${ESC}[90mgrey${ESC}[94mblue`, ['<text-muted>grey', '<text-running>blue']],
])('%j is %j', (line, expected) => {
  expect(draw(line)).toEqual(expected);
});

describe('what is not a look is harmless:', () => {
  it.each([
    ['cursor movements and clearing', `a${ESC}[2J${ESC}[1;1Hb${ESC}[K`, ['ab']],
    ['titles and links', `${ESC}]0;title\u0007a${ESC}]8;;http://evil.test${ESC}\\b${ESC}]8;;${ESC}\\`, ['ab']],
    ['an escape at the end', `a${ESC}`, ['a']],
    ['a sequence that is not closed', `a${ESC}[31`, ['a[31']],
    ['control characters', 'a\u0000b\u0007c\u007f', ['a␀b␇c␡']],
    ['a change of the direction of text', 'a\u202eb', ['a\ufffdb']],
    ['markup', '<script>alert(1)</script>', ['<script>alert(1)</script>']],
  ])('%s', (_title, line, expected) => {
    expect(draw(line)).toEqual(expected);
  });
});

it('of a line that was written again and again, the last text is shown', () => {
  expect(draw('10 %\r50 %\r100 %\r')).toEqual(['100 %']);
  expect(draw('windows\r')).toEqual(['windows']);
});

it('no control character remains, whatever the log contains', () => {
  const line = fc.string({
    unit: fc.constantFrom(ESC, '[', ']', '3', '1', 'm', ';', '\u0007', '\\', 'x', '\u009b', '\r'),
  });
  fc.assert(
    fc.property(line, (text) => {
      const shown = parseAnsi(text)
        .map((span) => span.text)
        .join('');

      expect(shown).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/);
    }),
  );
});
