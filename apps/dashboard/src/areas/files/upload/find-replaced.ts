import { parentOf } from '../folder-path.js';

interface FilePage {
  results: readonly { path: string }[];
  next?: string | null;
}

/** More requests than this would delay an upload longer than the answer is worth. */
const MAX_REQUESTS = 20;

export interface Replaced {
  /** The paths of an upload that files already have. */
  paths: string[];
  /** Whether all files were compared. */
  isComplete: boolean;
}

/**
 * Finds the files that an upload replaces. An upload of a few files looks each of them up. An upload of many reads the list of
 * the folder that contains them all.
 * @param list a page of the files that have a path or are below it; empty for a path that no file can have
 */
export async function findReplaced(
  paths: readonly string[],
  list: (path: string, page: number) => PromiseLike<FilePage>,
): Promise<Replaced> {
  const existing = new Set<string>();
  const read = async (path: string, page: number) => {
    const { results, next } = await list(path, page);
    for (const file of results) existing.add(file.path);
    return Boolean(next);
  };
  let isComplete = true;
  if (paths.length <= MAX_REQUESTS) await Promise.all(paths.map((path) => read(path, 1)));
  else {
    const folder = commonFolder(paths);
    for (let page = 1; await read(folder, page); page += 1) {
      isComplete = page < MAX_REQUESTS;
      if (!isComplete) break;
    }
  }
  return { paths: paths.filter((path) => existing.has(path.normalize('NFC'))), isComplete };
}

/** The deepest folder that contains all paths; empty for the top. */
export function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => parentOf(path).split('/'));
  const length = others.reduce((common, names) => {
    let at = 0;
    while (at < common && names[at] === first[at]) at += 1;
    return at;
  }, first.length);
  return first.slice(0, length).join('/');
}
