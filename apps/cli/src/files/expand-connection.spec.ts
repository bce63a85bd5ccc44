import { expect, it } from '@jest/globals';
import { expandConnection } from './expand-connection.js';

const ends = (source: string, destination: string) => ({ source: { id: source }, destination: { id: destination } });

it.each([
  [{ from: 'text/output', to: 'input/a/file' }, ends('output/text/output', 'input/a/file')],
  [{ source: 'output/a/file', destination: 'input/c/file' }, ends('output/a/file', 'input/c/file')],
  [
    { ...ends('output/a/file', 'input/b/file'), color: 'red' },
    { ...ends('output/a/file', 'input/b/file'), color: 'red' },
  ],
  [
    { type: 'TOOL', source: { id: 1 } },
    { type: 'TOOL', source: { id: 1 } },
  ],
  ['a', 'a'],
])('the connection %j has the form of a version', (written, expanded) => {
  expect(expandConnection(written)).toEqual(expanded);
});
