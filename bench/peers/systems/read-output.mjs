import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The output of a run of a peer: the file that its last step has written, or its result if its steps write no files.
 * @param {import('../workloads.mjs').Workload} workload
 * @param {{ folder: string, result: string }} run
 * @returns {Promise<string>}
 */
export const readOutput = async ({ outputFile }, { folder, result }) =>
  outputFile ? readFile(join(folder, outputFile), 'utf8') : result;
