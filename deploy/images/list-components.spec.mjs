import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { listDebianComponents, listNpmComponents } from './list-components.mjs';

it('listNpmComponents lists every version of every package once, with its licence', () => {
  const root = mkdtempSync(join(tmpdir(), 'millrace-components-'));
  const add = (/** @type {string} */ folder, /** @type {object} */ manifest) => {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'package.json'), JSON.stringify(manifest));
  };
  add('node_modules/@scope/a', { name: '@scope/a', version: '1.0.0', license: 'MIT OR Apache-2.0' });
  add('node_modules/@scope/a/node_modules/b', { name: 'b', version: '2.0.0-rc+1', license: { type: 'ISC' } });
  add('node_modules/b', { name: 'b', version: '1.0.0', license: 'SEE LICENSE IN file' });
  add('apps/gateway/node_modules/b', { name: 'b', version: '1.0.0' });
  // Some packages have folders with a package.json of their own, which is no package.
  add('node_modules/b/esm', { type: 'module' });
  const components = listNpmComponents(root).map(({ purl, licenses }) => [purl, licenses?.[0]]);
  rmSync(root, { recursive: true });
  expect(components).toEqual([
    ['pkg:npm/%40scope/a@1.0.0', { expression: 'MIT OR Apache-2.0' }],
    ['pkg:npm/b@1.0.0', undefined],
    ['pkg:npm/b@2.0.0-rc%2B1', { expression: 'ISC' }],
  ]);
});

it('listDebianComponents reads the output of dpkg-query', () => {
  expect(listDebianComponents('libstdc++6\t12.2.0-14+deb12u1\tamd64\ngit\t1:2.39.5-0\tamd64\n', 'debian-12')).toEqual([
    {
      type: 'library',
      name: 'libstdc++6',
      version: '12.2.0-14+deb12u1',
      purl: 'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64&distro=debian-12',
    },
    {
      type: 'library',
      name: 'git',
      version: '1:2.39.5-0',
      purl: 'pkg:deb/debian/git@1%3A2.39.5-0?arch=amd64&distro=debian-12',
    },
  ]);
});
