import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { colourQuery } from './colour-query.js';
import { findValuePlace } from './find-value-place.js';

describe('colourQuery', () => {
  const colours = (text: string) =>
    colourQuery(text).map(({ from, to, colour }) => `${text.slice(from, to)}:${colour}`);

  it.each([
    ['port = 443', ['port:column', '=:operator', '443:value']],
    [
      '`odd name` != "x y" and not up = true',
      [
        '`odd name`:column',
        '!=:operator',
        '"x y":text',
        'and:keyword',
        'not:keyword',
        'up:column',
        '=:operator',
        'true:value',
      ],
    ],
    [
      'a IN (1, "b") OR c IS NULL',
      [
        'a:column',
        'IN:keyword',
        '(:operator',
        '1:value',
        ',:operator',
        '"b":text',
        '):operator',
        'OR:keyword',
        'c:column',
        'IS:keyword',
        'NULL:keyword',
      ],
    ],
    ['a = "open', ['a:column', '=:operator', '"open:text']],
  ])('colours %s', (text, expected) => {
    expect(colours(text)).toEqual(expected);
  });

  it('returns tokens in order and inside of any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '=', '"', "'", '`', '(', '!', '\\', '\0', '\ud800', ',') }),
        (text) => {
          let end = 0;
          for (const { from, to } of colourQuery(text)) {
            expect(from).toBeGreaterThanOrEqual(end);
            expect(to).toBeGreaterThan(from);
            end = to;
          }
          expect(end).toBeLessThanOrEqual(text.length);
        },
      ),
    );
  });
});

describe('findValuePlace', () => {
  const columns = ['port', 'Host', 'odd name', 'in'];
  it.each([
    ['port = ', { column: 'port', from: 7, typed: '' }],
    ['port = 44', { column: 'port', from: 7, typed: '44' }],
    ['host != "a b', { column: 'Host', from: 8, typed: 'a b' }],
    ["`odd name` = 'x", { column: 'odd name', from: 13, typed: 'x' }],
    ['up = true AND port NOT IN (80, 4', { column: 'port', from: 31, typed: '4' }],
    ['in IN (', { column: 'in', from: 7, typed: '' }],
    ['port > 4', undefined],
    ['port', undefined],
    ['nope = ', undefined],
    ['(port', undefined],
    ['port = "a" ', undefined],
  ])('in %s the value place is %p', (text, place) => {
    expect(findValuePlace(text, columns)).toEqual(place);
  });
});
