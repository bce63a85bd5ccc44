import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Replaces a JSON file in one step, so that a reader, or a start after a crash, never meets half of it.
 * @param {string} path
 * @param {unknown} value
 * @param {number} [mode] file mode, default 0600
 */
export function writeJson(path, value, mode = 0o600) {
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode });
  renameSync(draft, path);
}

/**
 * @param {string} path
 * @returns {any} the parsed content; undefined where there is no such file or it is no JSON
 */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
