import { readFile } from 'node:fs/promises';
import { CliFailure } from '../cli-failure.js';

/** The text of a file that the user has named. @throws CliFailure if it is not there or is a folder */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CliFailure(`There is no file ${path}.`);
    if (code === 'EISDIR') throw new CliFailure(`${path} is a folder. Name the workflow file in it.`);
    throw error;
  }
}
