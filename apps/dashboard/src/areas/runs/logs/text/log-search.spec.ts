import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LogBuffer } from './log-buffer.js';
import { LogSearch, SLICE_BYTES } from './log-search.js';

const encode = (text: string) => new TextEncoder().encode(text);

function search(buffer: LogBuffer, text: string): LogSearch {
  const found = new LogSearch(buffer, text);
  while (!found.isDone) found.searchSlice();
  return found;
}

const linesOf = (found: LogSearch) => Array.from({ length: found.count }, (_, place) => found.lineAt(place));

it('the lines that contain a text are found, each once', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '\n', 'é') });
  fc.assert(
    fc.property(text, fc.constantFrom('a', 'AB', 'bb', 'é', 'aéb'), (log, needle) => {
      const buffer = new LogBuffer();
      buffer.append(encode(log));
      const expected = log
        .split('\n')
        .flatMap((line, place) => (line.toLowerCase().includes(needle.toLowerCase()) ? [place] : []));
      expect(linesOf(search(buffer, needle))).toEqual(expected);
    }),
  );
});

it('a match across two slices is found', () => {
  const buffer = new LogBuffer();
  buffer.append(encode(`${'x'.repeat(SLICE_BYTES - 4)}\nneedle\n`));
  expect(linesOf(search(buffer, 'Needle'))).toEqual([1]);
});

it('a search goes on when the log grows, also within a match', () => {
  const buffer = new LogBuffer();
  buffer.append(encode('one\nnee'));
  const found = search(buffer, 'needle');
  buffer.append(encode('dle two\nneedle'));
  while (!found.isDone) found.searchSlice();
  expect(linesOf(found)).toEqual([1, 2]);
});

it('the place of a line is that of the first match at or after it', () => {
  const buffer = new LogBuffer();
  buffer.append(encode('a\n-\na\n-\na'));
  const found = search(buffer, 'a');
  expect([0, 1, 4, 5].map((line) => found.placeOf(line))).toEqual([0, 1, 2, 3]);
});
