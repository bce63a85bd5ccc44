import { layoutOf } from '../folder/manifest.mjs';
import { openCopyFile, readRows } from '../folder/read-copy-file.mjs';

/**
 * The columns with hashes of stored objects: what the functions `find_references` of the database search, which a test
 * compares. A value is a hash, or a JSON object with a field `sha256`.
 * @type {Readonly<Record<string, string[]>>}
 */
export const REFERENCE_COLUMNS = {
  'runs.content': ['sha256'],
  'runs.output': ['sha256', 'shown_sha256'],
  'runs.subjob': ['stdout', 'stderr'],
  'runs.attempt': ['stdout', 'stderr'],
  'runs.sandbox_entry': ['sha256'],
  'workflows.file': ['sha256'],
  'datasets.load_part': ['load_id', 'sha256'],
};

const HASH = /^[0-9a-f]{64}$/;
/** Hashes that are kept in memory because they are frequent, such as the one of an empty log. */
const MAX_RECENT = 50_000;

/**
 * @typedef {import('../folder/manifest.mjs').SavedTable} SavedTable
 */

/**
 * Finds the objects that the rows of a backup refer to. A hash may occur more than once.
 * @param {string} folder of the backup
 * @param {readonly SavedTable[]} tables
 * @returns {AsyncGenerator<string>}
 */
export async function* findReferences(folder, tables) {
  const open = await findOpenLoads(folder, tables);
  const recent = new Set();
  for (const [table, columns] of Object.entries(REFERENCE_COLUMNS)) {
    for await (const values of readColumns(folder, tables, table, columns)) {
      // A completed load does not read its parts again.
      if (table === 'datasets.load_part' && !open.has(values[0])) continue;
      for (const value of values) {
        const hash = toHash(value);
        if (hash === null || recent.has(hash)) continue;
        if (recent.size >= MAX_RECENT) recent.clear();
        recent.add(hash);
        yield hash;
      }
    }
  }
}

/**
 * Finds the files of completed exports, which are in a store of their own.
 * @param {string} folder
 * @param {readonly SavedTable[]} tables
 * @returns {AsyncGenerator<string>}
 */
export async function* findExportFiles(folder, tables) {
  for await (const [status, value] of readColumns(folder, tables, 'datasets.export', ['status', 'sha256'])) {
    const hash = toHash(value ?? null);
    if (status === 'COMPLETED' && hash !== null) yield hash;
  }
}

/**
 * Reads columns of a table of a backup; nothing if an older version made the backup and the table or a column does not exist.
 * @param {string} folder
 * @param {readonly SavedTable[]} tables
 * @param {string} name
 * @param {readonly string[]} columns
 * @returns {AsyncGenerator<(string | null)[]>}
 */
export async function* readColumns(folder, tables, name, columns) {
  const table = tables.find((candidate) => `${candidate.schema}.${candidate.name}` === name);
  const indexes = columns.map((column) => table?.columns.indexOf(column) ?? -1);
  if (!table || indexes.every((index) => index === -1)) return;
  yield* readRows(openCopyFile(layoutOf(folder).table(table)), indexes);
}

/** @param {string} folder @param {readonly SavedTable[]} tables */
async function findOpenLoads(folder, tables) {
  const open = new Set();
  for await (const [id, status] of readColumns(folder, tables, 'datasets.load', ['id', 'status']))
    if (status !== 'COMPLETED') open.add(id);
  return open;
}

/** @param {string | null} value */
function toHash(value) {
  if (value === null || !value.startsWith('{')) return value !== null && HASH.test(value) ? value : null;
  const { sha256 } = JSON.parse(value);
  return typeof sha256 === 'string' && HASH.test(sha256) ? sha256 : null;
}
