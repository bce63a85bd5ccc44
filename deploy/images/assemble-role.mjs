import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { listProductionPackages } from './list-production-packages.mjs';
import { ROLES } from './roles.mjs';

/** Folders of a workspace that only its build and its tests need. */
const SOURCE_FOLDERS = ['src', 'e2e', 'build', 'public', 'node_modules'];
/** What tests share, at any depth. */
const TEST_FOLDER = 'testing';
/** Files that only compilers and debuggers read. Source maps of Millrace stay, because stack traces use them. */
const COMPILER_FILE = /\.(d\.[cm]?ts|[cm]?js\.map|tsbuildinfo)$/;
/** Prisma's client has a query compiler of several MB for every kind of database. */
const OTHER_DATABASE = /\/query_compiler_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./;

/**
 * Copies what the image of a role contains, and nothing else, into a folder.
 * @param {string} root folder of a repository that is installed and built (npm run build)
 * @param {string} name of the role
 * @param {string} output
 */
export function assembleRole(root, name, output) {
  const role = ROLES[name];
  if (!role) throw new Error(`The role ${name} does not exist. Roles are ${Object.keys(ROLES).join(', ')}.`);
  for (const folder of listProductionPackages(root, role.workspaces)) {
    if (folder.includes('node_modules/')) copy(root, output, folder, isNeededDependency);
    else {
      copy(root, output, folder, isNeededOfWorkspace);
      linkWorkspace(output, folder);
    }
  }
  for (const file of listBundleFiles(root, role.workspaces)) copy(root, output, join('bundle', file), () => true);
  for (const file of role.files) copy(root, output, file, (path) => !/\.spec\.[a-z]+$/.test(path));
}

/**
 * @param {string} root
 * @param {string[]} workspaces
 * @returns {string[]} the files of the bundle that their services load
 */
function listBundleFiles(root, workspaces) {
  /** @type {Record<string, string[]>} */
  const files = JSON.parse(readFileSync(join(root, 'bundle', 'files.json'), 'utf8'));
  return [...new Set(workspaces.flatMap((folder) => files[basename(folder)] ?? []))];
}

/**
 * Whether the image has a file or folder of a workspace.
 * @param {string} path in the workspace
 */
function isNeededOfWorkspace(path) {
  const folders = path.split('/');
  return !SOURCE_FOLDERS.includes(folders[0] ?? '') && !folders.includes(TEST_FOLDER);
}

/**
 * Whether the image has a file of a dependency.
 * @param {string} path in the package
 */
export function isNeededDependency(path) {
  const isNested = path.split('/').includes('node_modules');
  return !isNested && !COMPILER_FILE.test(path) && !OTHER_DATABASE.test(`/${path}`);
}

/**
 * @param {string} root
 * @param {string} output
 * @param {string} folder
 * @param {(path: string) => boolean} isNeeded by path in the folder
 */
function copy(root, output, folder, isNeeded) {
  const source = join(root, folder);
  cpSync(source, join(output, folder), {
    recursive: true,
    filter: (path) => path === source || isNeeded(relative(source, path)),
  });
}

/**
 * @param {string} output
 * @param {string} folder
 */
function linkWorkspace(output, folder) {
  const { name } = JSON.parse(readFileSync(join(output, folder, 'package.json'), 'utf8'));
  const link = join(output, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(relative(dirname(link), join(output, folder)), link);
}

if (basename(process.argv[1] ?? '') === 'assemble-role.mjs') {
  const [name = '', output = ''] = process.argv.slice(2);
  assembleRole(process.cwd(), name, output);
}
