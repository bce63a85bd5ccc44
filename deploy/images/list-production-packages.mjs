import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * @typedef {object} Manifest
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/**
 * The folders of all packages that the workspaces need in production, relative to the root, in the order of their names.
 *
 * `npm prune --omit=dev` keeps four times as much: optional peers of Prisma's client bring its command line, an embedded
 * database and a studio with React.
 * @param {string} root folder with `node_modules`
 * @param {string[]} workspaces folders of workspaces
 */
export function listProductionPackages(root, workspaces) {
  /** @type {Set<string>} */
  const found = new Set();
  const queue = [...workspaces];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    if (found.has(folder)) continue;
    found.add(folder);
    for (const { name, optional } of dependenciesOf(join(root, folder))) {
      const target = findPackage(root, folder, name);
      if (target !== undefined) queue.push(target);
      else if (!optional) throw new Error(`${folder} needs the package ${name}, which is not installed.`);
    }
  }
  return [...found].sort();
}

/**
 * @param {string} folder
 * @returns {{ name: string, optional: boolean }[]}
 */
function dependenciesOf(folder) {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const required = Object.keys(dependencies).filter((name) => !(name in optionalDependencies));
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [
    ...[...required, ...peers].map((name) => ({ name, optional: false })),
    // Such as the binaries for other processors, which npm does not install.
    ...Object.keys(optionalDependencies).map((name) => ({ name, optional: true })),
  ];
}

/**
 * Finds a package as Node.js does, but not outside of the root. A link to a workspace is followed.
 * @param {string} root
 * @param {string} from
 * @param {string} name
 */
function findPackage(root, from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(root, folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return relative(realpathSync(root), realpathSync(candidate));
    if (folder === '.') return undefined;
  }
}
