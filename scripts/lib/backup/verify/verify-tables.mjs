import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { layoutOf } from '../folder/manifest.mjs';
import { countLines } from '../folder/read-copy-file.mjs';

/**
 * Checks the file of each table: its checksum, and the number of its rows.
 * @param {string} folder of the backup
 * @param {readonly import('../folder/manifest.mjs').SavedTable[]} tables
 * @param {import('./problems.mjs').Problems} problems
 * @returns {Promise<import('../folder/manifest.mjs').SavedTable[]>} the undamaged tables
 */
export async function verifyTables(folder, tables, problems) {
  const readable = [];
  for (const table of tables) {
    const problem = await findProblem(layoutOf(folder).table(table), table);
    if (problem) problems.add(problem);
    else readable.push(table);
  }
  return readable;
}

/**
 * @param {string} file
 * @param {import('../folder/manifest.mjs').SavedTable} table
 * @returns {Promise<string | undefined>}
 */
async function findProblem(file, table) {
  if (!existsSync(file)) return `${file} is missing.`;
  const hash = createHash('sha256');
  let rows = 0;
  try {
    await pipeline(
      createReadStream(file),
      async function* (chunks) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createZstdDecompress(),
      async function (chunks) {
        for await (const chunk of chunks) rows += countLines(chunk);
      },
    );
  } catch (error) {
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error);
    return `${file} is damaged: ${code.startsWith('ZSTD') ? 'it cannot be decompressed' : message}.`;
  }
  if (hash.digest('hex') !== table.sha256)
    return `${file} is damaged: it has another checksum than when it was written.`;
  return rows === table.rows ? undefined : `${file} has ${rows} rows instead of ${table.rows}.`;
}
