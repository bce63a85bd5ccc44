import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { searchWords } from './find-module-page.js';

describe('the words of a search', () => {
  it('are all required, match by their beginnings, and may be separated by any punctuation', () => {
    const words = { all: `'csv':* & 'json':*`, any: `'csv':* | 'json':*` };
    for (const search of ['csv json', 'CSV-to... json'.replace('to', ''), ' csv/json ', `"csv"_'json'`]) {
      expect(searchWords(search)).toEqual(words);
    }
    expect(searchWords('été 2')).toEqual({ all: `'été':* & '2':*`, any: `'été':* | '2':*` });
  });

  it('are none if the search is only punctuation', () => {
    for (const search of ['', ' ', '--', `'\\'`, '%_:*&|!()']) expect(searchWords(search)).toBeNull();
  });

  it('contain no characters with a meaning in a query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (search) => {
        for (const term of searchWords(search)?.all.split(' & ') ?? [])
          expect(term).toMatch(/^'[^'\\:&|!()<>*\s]+':\*$/u);
      }),
    );
  });
});
