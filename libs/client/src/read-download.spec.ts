import { expect, it } from '@jest/globals';
import { readDownload } from './read-download.js';

const head = (headers: Record<string, string>) => {
  const { name, size, totalSize } = readDownload(new Response('', { headers }));
  return { name, size, totalSize };
};

it('a download has the name and the size from the headers', () => {
  expect(head({ 'content-length': '7', 'content-disposition': 'attachment; filename="a \\"b\\".txt"' })).toEqual({
    name: 'a "b".txt',
    size: 7,
    totalSize: 7,
  });
});

it('a download of a range has the size of the complete file, and a name with characters beyond ASCII', () => {
  const disposition = `attachment; filename="x.txt"; filename*=UTF-8''w%C3%B6rter.txt`;
  expect(head({ 'content-length': '2', 'content-range': 'bytes 3-4/10', 'content-disposition': disposition })).toEqual({
    name: 'wörter.txt',
    size: 2,
    totalSize: 10,
  });
});

it('a download has null for the properties that the headers do not contain', () => {
  expect(head({})).toEqual({ name: null, size: null, totalSize: null });
});
