import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeModules, GENERATED_PART } from './describe-modules.js';
import { readBuiltIns } from './read-built-ins.js';

it('docs/reference/library.md lists exactly the built-in modules; otherwise run `npm run docs:library`', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/reference/library.md'), 'utf8');
  expect(page.slice(page.indexOf(GENERATED_PART))).toBe(describeModules(await readBuiltIns()));
});
