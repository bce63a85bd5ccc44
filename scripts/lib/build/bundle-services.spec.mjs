import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../layout.mjs';
import { SERVICES } from '../services.mjs';

const FOLDER = join(ROOT, 'bundle');
/** @type {Record<string, string[]>} */
const files = JSON.parse(readFileSync(join(FOLDER, 'files.json'), 'utf8'));
const read = (/** @type {string} */ file) => readFileSync(join(FOLDER, file), 'utf8');

describe('the bundle', () => {
  it.each([...SERVICES, 'single'])('lists every file that %s loads', (name) => {
    const listed = files[name] ?? [];
    const scripts = listed.filter((file) => file.endsWith('.js'));
    const imported = scripts.flatMap((file) => [...read(file).matchAll(/(?:from|import\()\s*"\.\/([^"]+)"/g)]);
    expect(scripts).toContain(`${name}.js`);
    expect(imported.map(([, file]) => file).filter((file) => !listed.includes(file ?? ''))).toEqual([]);
  });

  it('does not contain the query compiler as text', () => {
    expect(files['auth']?.filter((file) => file.endsWith('.js') && read(file).includes('AGFzbQ'))).toEqual([]);
  });

  it('has files of ASCII only, of which V8 keeps one byte for each character', () => {
    const scripts = readdirSync(FOLDER).filter((file) => file.endsWith('.js'));
    expect(scripts.filter((file) => /[^\0-\x7f]/.test(read(file)))).toEqual([]);
  });

  it('has no source maps for files of packages', () => {
    const packages = readdirSync(FOLDER).filter((file) => file.startsWith('packages-'));
    expect(packages.length).toBeGreaterThan(0);
    expect(packages.filter((file) => file.endsWith('.map') || read(file).includes('sourceMappingURL='))).toEqual([]);
  });

  it('finds the files of packages where they are', () => {
    const addresses = Object.values(files)
      .flat()
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => [...read(file).matchAll(/new URL\("(\.\.\/[^"]+)", import\.meta\.url\)/g)]);
    expect(addresses.length).toBeGreaterThan(0);
    expect(addresses.map(([, path]) => join(FOLDER, path ?? '')).filter((path) => !existsSync(path))).toEqual([]);
  });

  it('has source maps that name sources of this repository only', () => {
    const { sources } = JSON.parse(read('auth.js.map'));
    expect(sources).toContain('../apps/auth/src/main.ts');
    expect(sources.filter((/** @type {string} */ source) => !existsSync(join(FOLDER, source)))).toEqual([]);
  });
});
