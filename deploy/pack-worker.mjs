import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { listProductionPackages } from './images/list-production-packages.mjs';

/** What a workspace needs at run time. */
const NEEDED = /^(dist|bin|pod|package\.json$|README\.md$|[^/]+\.pl$)/;
const NOT_NEEDED = /\.(d\.[cm]?ts|tsbuildinfo)$/;
const WORKER = 'apps/worker';

/** @typedef {{ name: string, version: string, license?: string, dependencies?: Record<string, string>, [key: string]: unknown }} Manifest */

/**
 * Packs the worker for machines that have no copy of the repository: `millrace-worker-<version>.tgz`. It contains the libraries of
 * Millrace; npm installs all others, in the versions that the repository has.
 * @param {string} root folder of a repository that is installed and built
 * @param {string} output folder for the archive
 * @returns {string} path of the archive
 */
export function packWorker(root, output) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-worker-'));
  try {
    writePackage(root, folder);
    mkdirSync(output, { recursive: true });
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', resolve(output)];
    const name = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
    return join(output, name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {string} folder
 */
function writePackage(root, folder) {
  const packages = listProductionPackages(root, [WORKER]);
  const own = packages.filter((path) => !path.includes('node_modules/') && path !== WORKER);
  const names = own.map((path) => readManifest(join(root, path)).name);
  const worker = readManifest(join(root, WORKER));
  for (const [index, path] of own.entries()) copy(join(root, path), join(folder, 'node_modules', String(names[index])));
  copy(join(root, WORKER), folder);
  const external = [WORKER, ...own].flatMap((path) =>
    Object.keys(readManifest(join(root, path)).dependencies ?? {})
      .filter((name) => !name.startsWith('@millrace/'))
      .map((name) => [name, installedVersion(root, packages, path, name)]),
  );
  const { version, license, type, bin } = worker;
  const bundled = Object.fromEntries(names.map((name) => [name, version]));
  writeManifest(folder, {
    ...{ name: 'millrace-worker', version, license, type, bin, files: ['bin', 'dist'], engines: { node: '>=22.15' } },
    dependencies: { ...bundled, ...Object.fromEntries(external) },
    bundleDependencies: names,
  });
  // All others are dependencies of the package itself, so npm installs each once.
  for (const name of names) {
    const target = join(folder, 'node_modules', name);
    const { dependencies: _, devDependencies: __, scripts: ___, ...rest } = readManifest(target);
    writeManifest(target, rest);
  }
}

/**
 * The version in the repository, because others were never tested together.
 * @param {string} root
 * @param {string[]} packages
 * @param {string} from
 * @param {string} name
 */
function installedVersion(root, packages, from, name) {
  const nested = `${from}/node_modules/${name}`;
  return readManifest(join(root, packages.includes(nested) ? nested : `node_modules/${name}`)).version;
}

/**
 * @param {string} source
 * @param {string} target
 */
function copy(source, target) {
  cpSync(source, target, {
    recursive: true,
    filter: (path) => path === source || (NEEDED.test(relative(source, path)) && !NOT_NEEDED.test(path)),
  });
}

/**
 * @param {string} folder
 * @returns {Manifest}
 */
const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * @param {string} folder
 * @param {object} manifest
 */
const writeManifest = (folder, manifest) =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

if (basename(process.argv[1] ?? '') === 'pack-worker.mjs') {
  const [output] = process.argv.slice(2);
  if (!output) {
    console.error('Usage: node deploy/pack-worker.mjs <folder>');
    process.exit(2);
  }
  console.log(packWorker(process.cwd(), output));
}
