import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describePermissions } from './describe-permissions.js';

it('docs/reference/permissions.md matches the code (if not, run `npm run docs:permissions`)', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/reference/permissions.md'), 'utf8');
  expect(page).toBe(describePermissions());
});
