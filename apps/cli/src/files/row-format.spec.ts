import { describe, expect, it } from '@jest/globals';
import { chooseRowFormat } from './row-format.js';

describe('the format of a file with rows', () => {
  it.each([
    ['hosts.csv', { format: 'csv' }],
    ['a.b/hosts.JSONL', { format: 'ndjson' }],
    ['hosts.ndjson.gz', { format: 'ndjson', encoding: 'gzip' }],
    ['hosts.json.zst', { format: 'json', encoding: 'zstd' }],
  ])('%s is chosen by its name', (path, format) => expect(chooseRowFormat(path)).toEqual(format));

  it('is that of the option, with the compression of the name', () => {
    expect(chooseRowFormat('-', 'csv')).toEqual({ format: 'csv' });
    expect(chooseRowFormat('rows.gz', 'json')).toEqual({ format: 'json', encoding: 'gzip' });
  });

  it('that is not known is refused', () => {
    for (const path of ['-', 'rows', 'rows.txt', 'rows.gz'])
      expect(() => chooseRowFormat(path)).toThrow('Use --format');
  });
});
