import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ModuleDefinition, ModuleType } from '@millrace/contracts/workflows/library';
import { builtInFile, type ModuleFile } from './module-file.js';
import { moduleId } from './module-id.js';
import { InvalidModuleFileError, parseModuleFile } from './parse-module-file.js';
import { toDefinition, typeOfFile } from './to-definition.js';

/** The folder is beside `src` and `dist`, so both find it. */
const FOLDER = fileURLToPath(new URL('../modules/', import.meta.url));

/** A module that is part of the product. */
export interface BuiltIn {
  id: string;
  type: ModuleType;
  file: ModuleFile;
  definition: ModuleDefinition;
}

/**
 * Reads all built-in modules, sorted by name.
 * @throws Error that names the invalid file, with each problem's line and column
 */
export async function readBuiltIns(folder: string = FOLDER): Promise<BuiltIn[]> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.yaml'));
  const read = await Promise.all(paths.map((path) => readBuiltIn(join(folder, path), folder)));
  const seen = new Set<string>();
  for (const { file } of read) {
    if (seen.has(file.name)) throw new Error(`Two built-in modules are named ${file.name}`);
    seen.add(file.name);
  }
  return read.sort((a, b) => (a.file.name < b.file.name ? -1 : 1));
}

async function readBuiltIn(path: string, folder: string): Promise<BuiltIn> {
  const source = await readFile(path, 'utf8');
  try {
    const file = parseModuleFile(source, builtInFile);
    return { id: moduleId(file.name), type: typeOfFile(file), file, definition: toDefinition(file) };
  } catch (error) {
    if (!(error instanceof InvalidModuleFileError)) throw error;
    throw new Error(`${relative(folder, path)}: ${error.message}`, { cause: error });
  }
}
