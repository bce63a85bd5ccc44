import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ERROR_CODES, WARNING_CODES } from './problem.js';

const page = readFileSync(new URL('../../../../docs/reference/validation.md', import.meta.url), 'utf8');
const [, errors = '', warnings = ''] = page.split(/^## .*$/m);
const codesOf = (section: string): (string | undefined)[] =>
  [...section.matchAll(/^\| `(\w+)` +\| [^|]+ \| [^|]+ \|/gm)].map((row) => row[1]);

it.each([
  ['errors', errors, ERROR_CODES],
  ['warnings', warnings, WARNING_CODES],
])('docs/reference/validation.md describes all %s, and no others, in their order', (_, section, codes) => {
  expect(codesOf(section)).toEqual(codes);
});
