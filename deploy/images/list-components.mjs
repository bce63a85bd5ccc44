import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A component of a CycloneDX document.
 * @typedef {object} Component
 * @property {string} type
 * @property {string} name
 * @property {string} version
 * @property {string} purl
 * @property {string} [cpe]
 * @property {({ expression: string } | { license: { name: string } })[]} [licenses]
 */

/**
 * The npm packages that are installed below a folder, each version once. It reads what is there, so nothing can be missing from
 * the list that is in the image.
 * @param {string} root
 * @returns {Component[]}
 */
export function listNpmComponents(root) {
  const workspaces = ['apps', 'libs'].flatMap((parent) => listFolders(join(root, parent)));
  const manifests = [root, ...workspaces].flatMap((folder) => listManifests(folder));
  const components = manifests.map(({ name, version, license }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`,
    ...licensesOf(license),
  }));
  const byUrl = new Map(components.map((component) => [component.purl, component]));
  return [...byUrl.values()].sort((a, b) => a.purl.localeCompare(b.purl));
}

/**
 * @param {string} output of `dpkg-query --show --showformat='${Package}\t${Version}\t${Architecture}\n'`
 * @param {string} release such as `debian-12`
 * @returns {Component[]}
 */
export function listDebianComponents(output, release) {
  const lines = output.split('\n').filter(Boolean);
  return lines.map((line) => {
    const [name = '', version = '', architecture = ''] = line.split('\t');
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=${release}`;
    return { type: 'library', name, version, purl };
  });
}

/**
 * @param {string} folder
 * @returns {{ name: string, version: string, license?: unknown }[]}
 */
function listManifests(folder) {
  const modules = listFolders(join(folder, 'node_modules'));
  const packages = modules.flatMap((path) => (/\/@[^/]+$/.test(path) ? listFolders(path) : [path]));
  return packages.flatMap((path) => {
    const file = join(path, 'package.json');
    return [...(existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8'))] : []), ...listManifests(path)];
  });
}

/**
 * Without links, which lead to workspaces.
 * @param {string} folder
 */
function listFolders(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && entry.name !== '.bin').map(({ name }) => join(folder, name));
}

/** @param {unknown} license in the form of a package.json */
function licensesOf(license) {
  const text = typeof license === 'string' ? license : /** @type {{ type?: string }} */ (license)?.type;
  if (!text) return {};
  const isSpdx = /^[\w.+() -]+$/.test(text) && !/^(UNLICENSED|SEE LICENSE)/.test(text);
  return { licenses: [isSpdx ? { expression: text } : { license: { name: text } }] };
}
