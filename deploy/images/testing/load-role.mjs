import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from '../../../scripts/lib/layout.mjs';
import { isNeededDependency } from '../assemble-role.mjs';
import { listProductionPackages } from '../list-production-packages.mjs';
import { ROLES } from '../roles.mjs';

/**
 * `load-role.mjs <role>` loads all modules of the services of a role without starting one, and fails if a module is not in the
 * image of the role. For tests: it needs no copy of the packages.
 */
const role = ROLES[process.argv[2] ?? ''];
if (!role) throw new Error('Name a role.');
const packages = listProductionPackages(ROOT, role.workspaces).toSorted((a, b) => b.length - a.length);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    if (resolved.url.startsWith('file:')) checkFile(relative(ROOT, fileURLToPath(resolved.url)));
    return resolved;
  },
});

/** @param {string} file */
function checkFile(file) {
  const owner = packages.find((folder) => file.startsWith(`${folder}/`));
  const isNested = owner !== undefined && file.slice(owner.length).includes('/node_modules/');
  if (owner === undefined || isNested) throw new Error(`${file} is in no package of the image.`);
  const isDependency = owner.includes('node_modules/');
  if (isDependency && !isNeededDependency(file.slice(owner.length + 1)))
    throw new Error(`The image does not have ${file}.`);
}

for (const workspace of role.workspaces) {
  const entries = ['dist/start.js', 'dist/schema-engine.js'].map((path) => join(ROOT, workspace, path));
  for (const entry of entries.filter((path) => existsSync(path))) await import(pathToFileURL(entry).href);
}
console.log('loaded');
process.exit(0);
