import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeApi } from './describe-api.js';

const FILE = join(import.meta.dirname, '../../../../docs/reference/openapi.json');

it('docs/reference/openapi.json is current; `npm run docs:openapi` writes it', () => {
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(JSON.parse(JSON.stringify(describeApi())));
});
