import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { FAILURE_KINDS } from './failure-kind.js';

it('docs/guides/explain.md lists each kind of failure once', async () => {
  const page = await readFile(new URL('../../../../docs/guides/explain.md', import.meta.url), 'utf8');
  const [, contents = ''] = /^\| `kind` +\| ([^|]*) \|$/m.exec(page) ?? [];
  const [kinds = ''] = contents.split(';');
  expect([...kinds.matchAll(/`([^`]+)`/g)].map(([, kind]) => kind)).toEqual([...FAILURE_KINDS]);
});
