import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../write-json.mjs';

/**
 * Writes a version into all packages, into their requirements of each other, and into the labels of images.
 * `npm version --workspaces` writes only the first.
 * @param {string[]} folders folders of the packages; the first is the root of the repository
 * @param {string} version
 */
export function setVersions(folders, version) {
  const [root = ''] = folders;
  const names = new Set(folders.map((folder) => readJson(join(folder, 'package.json'))?.name));
  const setAll = (/** @type {any} */ manifest) => {
    manifest.version = version;
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies']) {
      for (const name of Object.keys(manifest[kind] ?? {})) if (names.has(name)) manifest[kind][name] = version;
    }
  };
  for (const folder of folders) edit(join(folder, 'package.json'), setAll);
  edit(join(root, 'package-lock.json'), (lock) => {
    lock.version = version;
    for (const entry of Object.values(lock.packages)) if (names.has(entry.name)) setAll(entry);
  });
  const chart = join(root, 'deploy/helm/millrace/Chart.yaml');
  if (existsSync(chart))
    writeFileSync(chart, readFileSync(chart, 'utf8').replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  const dockerfile = join(root, 'deploy/Dockerfile');
  writeFileSync(dockerfile, readFileSync(dockerfile, 'utf8').replace(/^ARG VERSION=.*$/m, `ARG VERSION=${version}`));
}

/**
 * @param {string} file
 * @param {(content: any) => void} change
 */
function edit(file, change) {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  change(content);
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
