import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cutChangelog } from './cut-changelog.mjs';
import { nextVersion } from './next-version.mjs';
import { setVersions } from './set-versions.mjs';

const changelog = (/** @type {string} */ unreleased) =>
  `# Changelog\n\n## Unreleased\n\n${unreleased}\n\n## 0.1.0 - 2026-01-01\n\n### Added\n\n- All.\n`;

describe('nextVersion', () => {
  it.each([
    ['### Added\n\n- A.', undefined, '0.2.0'],
    ['### Fixed\n\n- A.', undefined, '0.1.1'],
    ['### Fixed\n\n- A.', '1.0.0', '1.0.0'],
  ])(
    'follows from the kind of the changes or from the requested version: %j and %s give %s',
    (unreleased, requested, expected) => {
      expect(nextVersion('0.1.0', changelog(unreleased), requested)).toBe(expected);
    },
  );

  it.each(['0.1.0', '0.0.9', 'two'])('rejects %s after 0.1.0', (requested) => {
    expect(() => nextVersion('0.1.0', changelog('- A.'), requested)).toThrow(requested);
  });
});

describe('cutChangelog', () => {
  it('moves the unreleased entries under the new version', () => {
    const { text, notes } = cutChangelog(changelog('### Fixed\n\n- A.'), '0.1.1', new Date('2026-02-03'));
    expect(notes).toBe('### Fixed\n\n- A.');
    expect(text).toContain('## Unreleased\n\n## 0.1.1 - 2026-02-03\n\n### Fixed\n\n- A.\n\n## 0.1.0');
  });

  it('rejects a changelog without entries', () => {
    expect(() => cutChangelog(changelog(''), '0.1.1', new Date())).toThrow('nothing under "Unreleased"');
  });
});

describe('setVersions', () => {
  it('writes the version into all packages, their requirements, the lock file and images, but not into other packages', () => {
    const root = mkdtempSync(join(tmpdir(), 'release-'));
    const write = (/** @type {string} */ file, /** @type {object} */ content) =>
      writeFileSync(join(root, file), JSON.stringify(content));
    mkdirSync(join(root, 'a'));
    mkdirSync(join(root, 'deploy'));
    writeFileSync(join(root, 'deploy/Dockerfile'), 'ARG BASE=debian\nARG VERSION=0.1.0\nFROM debian\nARG VERSION\n');
    const a = { name: '@x/a', version: '0.1.0', dependencies: { x: '0.1.0', zod: '0.1.0' } };
    write('package.json', { name: 'x', version: '0.1.0' });
    write('a/package.json', a);
    write('package-lock.json', {
      name: 'x',
      version: '0.1.0',
      packages: { a, 'node_modules/zod': { version: '0.1.0' } },
    });
    setVersions([root, join(root, 'a')], '0.2.0');
    const read = (/** @type {string} */ file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
    const changed = { ...a, version: '0.2.0', dependencies: { x: '0.2.0', zod: '0.1.0' } };
    expect(read('a/package.json')).toEqual(changed);
    expect(read('package-lock.json')).toMatchObject({
      version: '0.2.0',
      packages: { a: changed, 'node_modules/zod': { version: '0.1.0' } },
    });
    const image = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
    expect(image).toBe('ARG BASE=debian\nARG VERSION=0.2.0\nFROM debian\nARG VERSION\n');
    rmSync(root, { recursive: true });
  });
});
