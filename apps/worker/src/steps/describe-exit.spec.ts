import { expect, it } from '@jest/globals';
import { describeMissingProgram } from './describe-exit.js';

it.each([
  [
    'cannot run xmllint: No such file or directory',
    'xmllint is not installed on this worker (apt-get install libxml2-utils)',
  ],
  ['script.sh: line 12: jq: command not found', 'jq is not installed on this worker (apt-get install jq)'],
  ["env: 'dig': No such file or directory", 'dig is not installed on this worker (apt-get install bind9-dnsutils)'],
  ['bash: my-own: command not found', 'my-own is not installed on this worker'],
  ['cannot run constructor: No such file or directory', 'constructor is not installed on this worker'],
])('describeMissingProgram names the program and its package for "%s"', (line, description) => {
  expect(describeMissingProgram(line, null)).toBe(description);
});

it('describeMissingProgram names the image that lacks the program', () => {
  expect(describeMissingProgram('cannot run jq: No such file or directory', 'debian:12')).toBe(
    'jq is not in the image debian:12',
  );
});

it.each(['cat: jq: No such file or directory', 'not found', ''])(
  'describeMissingProgram returns null for "%s"',
  (line) => {
    expect(describeMissingProgram(line, null)).toBeNull();
  },
);
