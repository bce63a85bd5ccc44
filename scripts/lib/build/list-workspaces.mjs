import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../write-json.mjs';

/**
 * @typedef {{ name: string, folder: string, dependencies: string[], builds: boolean }} Workspace
 */

/**
 * The packages of `apps` and `libs`, each with the @millrace packages that it depends on.
 * @param {string} root
 * @returns {Workspace[]}
 */
export function listWorkspaces(root) {
  return ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((entry) => {
      const folder = join(group, entry);
      const json = readJson(join(root, folder, 'package.json'));
      if (!json) return [];
      const dependencies = Object.keys(json.dependencies ?? {}).filter((name) => name.startsWith('@millrace/'));
      return [{ name: json.name, folder, dependencies, builds: Boolean(json.scripts?.build) }];
    }),
  );
}
