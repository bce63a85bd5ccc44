import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { fingerprintServices } from './build-workspaces.mjs';

const root = mkdtempSync(join(tmpdir(), 'sources-'));
afterAll(() => rmSync(root, { recursive: true }));

/** @param {string} path */
function edit(path) {
  const before = fingerprintServices(root);
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), path);
  return { changes: fingerprintServices(root) !== before };
}

describe('fingerprintServices', () => {
  it.each(['apps/gateway/src/main.ts', 'libs/client/src/core.ts', 'prisma/schema/auth.prisma', 'package.json'])(
    'changes with %s',
    (path) => {
      expect(edit(path)).toEqual({ changes: true });
    },
  );

  it.each([
    'apps/dashboard/src/main.tsx',
    'apps/dashboard/package.json',
    'apps/gateway/src/main.spec.ts',
    'apps/gateway/dist/main.js',
  ])('does not change with %s', (path) => {
    expect(edit(path)).toEqual({ changes: false });
  });
});
