import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Replaces a JSON file atomically, so that a reader never sees an incomplete file, not even after a crash.
 * @param {string} path
 * @param {unknown} value
 * @param {number} [mode] file mode, by default 0600
 */
export function writeJson(path, value, mode = 0o600) {
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode });
  renameSync(draft, path);
}

/**
 * @param {string} path
 * @returns {any} the parsed content; undefined if the file does not exist or is not JSON
 */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
