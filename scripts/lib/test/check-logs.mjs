import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../write-json.mjs';
import { findLeaks } from './find-leaks.mjs';

/**
 * Looks through everything that systems under test have logged.
 * @param {object} options
 * @param {string[]} options.folders each is searched with what is below it for `.log` files, and their rotated ones
 * @param {string[]} options.expected log files that must be there and say something, lest nothing at all be looked at
 * @param {string} options.known file with one secret a line, as JSON; the tests add those that they come to know
 * @param {string[]} options.secrets files like secrets.json, all of whose texts are secrets
 * @returns {string[]} what is wrong; file and line, never the secret
 */
export function checkLogs({ folders, expected, known, secrets }) {
  const values = [...readLines(known), ...secrets.flatMap((file) => textsIn(readJson(file)))];
  const empty = expected.filter((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0);
  const files = folders.flatMap(listLogs);
  return [
    ...empty.map((file) => `${file} is empty: there is nothing to look through`),
    ...files.flatMap((file) =>
      findLeaks(readFileSync(file, 'utf8'), values).map(
        ({ line, what, excerpt }) => `${file}:${line} holds ${what}: … ${excerpt} …`,
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
