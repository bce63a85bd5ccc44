import { readFile } from 'node:fs/promises';
import { CliError } from '../cli-error.js';

/** The text of a file that the user has named. @throws CliError if it is not there or is a folder */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CliError(`The file ${path} does not exist.`);
    if (code === 'EISDIR') throw new CliError(`${path} is a folder. Use the path of a workflow file.`);
    throw error;
  }
}
