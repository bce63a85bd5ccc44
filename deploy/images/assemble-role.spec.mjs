import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../../scripts/lib/layout.mjs';
import { runCommand } from '../../scripts/lib/run-command.mjs';
import { assembleRole } from './assemble-role.mjs';
import { ROLES } from './roles.mjs';

it('assembleRole copies builds of workspaces and production dependencies, without what only compilers read', () => {
  const root = mkdtempSync(join(tmpdir(), 'millrace-role-'));
  const add = (/** @type {string} */ path, text = '') => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  add('apps/worker/package.json', '{ "name": "@millrace/worker", "dependencies": { "dep": "1" } }');
  add('node_modules/dep/package.json', '{ "name": "dep" }');
  add('bundle/files.json', '{ "worker": ["worker.js", "shared-a.js"], "auth": ["auth.js", "shared-a.js"] }');
  add('bundle/auth.js');
  const bundled = ['bundle/worker.js', 'bundle/shared-a.js'];
  const kept = [...bundled, 'apps/worker/dist/main.js', 'apps/worker/dist/main.js.map', 'node_modules/dep/index.js'];
  const unneeded = ['apps/worker/src/main.ts', 'apps/worker/dist/core/testing/start.js', 'node_modules/dep/index.d.ts'];
  const left = [...unneeded, 'node_modules/other/package.json'];
  for (const path of [...kept, ...left, 'node_modules/dep/query_compiler_fast_bg.mysql.wasm']) add(path);
  for (const file of ROLES['worker']?.files ?? []) if (file !== 'deploy/images') add(file, '{}');
  add('deploy/images/one.mjs');
  add('deploy/images/one.spec.mjs');
  const output = join(root, 'image');
  assembleRole(root, 'worker', output);
  const has = (/** @type {string} */ path) => existsSync(join(output, path));
  expect([...kept, 'deploy/images/one.mjs'].filter((path) => !has(path))).toEqual([]);
  const unwanted = [
    ...left,
    'bundle/auth.js',
    'node_modules/dep/query_compiler_fast_bg.mysql.wasm',
    'deploy/images/one.spec.mjs',
  ];
  expect(unwanted.filter(has)).toEqual([]);
  expect(readlinkSync(join(output, 'node_modules/@millrace/worker'))).toBe('../../apps/worker');
  rmSync(root, { recursive: true });
});

it.each(Object.keys(ROLES))('the image of the role %s has every file that its programs load', async (name) => {
  const args = [join(ROOT, 'deploy/images/testing/load-role.mjs'), name];
  expect(await runCommand(process.execPath, args, { env: {}, cwd: ROOT })).toEqual({ code: 0, output: 'loaded\n' });
});

it('the image of the services has what `init` imports', () => {
  const program = readFileSync(join(ROOT, 'deploy/init-secrets.mjs'), 'utf8');
  const imports = [...program.matchAll(/from '\.\.?\/([^']+)'/g)].map((match) => match[1] ?? '');
  const available = [...(ROLES['service']?.files ?? []), 'libs/'];
  expect(imports.length).toBeGreaterThan(0);
  expect(
    imports.filter((path) => !available.some((start) => path.startsWith(start) || `deploy/${path}` === start)),
  ).toEqual([]);
});
