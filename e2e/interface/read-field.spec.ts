import { describe, expect, it } from '@jest/globals';
import { readField } from './read-field.js';
import { INTERFACE } from './table/all.js';

describe('readField', () => {
  it.each([
    ['string', { types: ['string'], isRequired: false }],
    ['string, req, 1..255', { types: ['string'], isRequired: true, min: 1, max: 255 }],
    ['string or null, max 2000', { types: ['string', 'null'], isRequired: false, max: 2_000 }],
    ['integer, default 1', { types: ['integer'], isRequired: false, default: '1' }],
    ['array of object, req', { types: ['array'], element: 'object', isRequired: true }],
    ['enum A B, req', { types: ['string'], values: ['A', 'B'], isRequired: true }],
    ['enum', { types: ['string'], values: [], isRequired: false }],
  ])('parses "%s"', (words, field) => expect(readField(words)).toEqual(field));

  it.each(['text', 'string, required', 'string or nothing', 'array of things', ''])('rejects "%s"', (words) =>
    expect(() => readField(words)).toThrow('The table has no such'),
  );
});

it('every field of the table can be parsed', () => {
  for (const { path, query, body, response } of Object.values(INTERFACE)) {
    const parts = [path, query, body, response === 'nothing' ? undefined : response];
    for (const words of parts.flatMap((fields) => Object.values(fields ?? {}))) readField(words);
  }
});
