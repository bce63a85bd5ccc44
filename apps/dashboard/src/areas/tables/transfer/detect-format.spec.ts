import { expect, it } from '@jest/globals';
import { detectFormat } from './detect-format.js';

it.each([
  ['hosts.csv', '{', { format: 'csv' }],
  ['Hosts.TSV.gz', '', { format: 'csv', encoding: 'gzip' }],
  ['hosts.jsonl.zst', '', { format: 'ndjson', encoding: 'zstd' }],
  ['hosts.json', ' [{"a":1}]', { format: 'json' }],
  ['hosts.json', '{"a":1}\n{"a":2}', { format: 'ndjson' }],
  ['hosts.txt', 'a.example', { format: 'csv' }],
  ['hosts.json.gz', '', undefined],
])('a file %s that begins with %p has the format %p', (name, start, format) => {
  expect(detectFormat(name, start)).toEqual(format);
});
