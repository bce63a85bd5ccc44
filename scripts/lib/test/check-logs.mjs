import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../write-json.mjs';
import { findLeaks } from './find-leaks.mjs';

/**
 * Searches the logs of the systems under test for secrets.
 * @param {object} options
 * @param {string[]} options.folders folders that are searched recursively for `.log` files and rotated ones
 * @param {string[]} options.expected log files that must exist and not be empty, so that the search cannot pass without logs
 * @param {string} options.known file with one secret per line, as JSON; tests append the secrets that they receive
 * @param {string[]} options.secrets files such as secrets.json, in which every text is a secret
 * @returns {string[]} problems with file and line, but without the secret
 */
export function checkLogs({ folders, expected, known, secrets }) {
  const values = [...readLines(known), ...secrets.flatMap((file) => textsIn(readJson(file)))];
  const empty = expected.filter((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0);
  const files = folders.flatMap(listLogs);
  return [
    ...empty.map((file) => `${file} is missing or empty, so it could not be searched`),
    ...files.flatMap((file) =>
      findLeaks(readFileSync(file, 'utf8'), values).map(
        ({ line, kind, excerpt }) => `${file}:${line} contains ${kind}: … ${excerpt} …`,
      ),
    ),
  ];
}

/** @param {string} folder */
function listLogs(folder) {
  try {
    const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return entries.filter((name) => /\.log(\.\d+)?$/.test(name)).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/**
 * @param {string} file
 * @returns {string[]}
 */
function readLines(file) {
  if (!statSync(file, { throwIfNoEntry: false })) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/**
 * @param {unknown} value
 * @returns {string[]}
 */
function textsIn(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
