import { parentOf } from '../folder-path.js';

interface FilePage {
  results: readonly { path: string }[];
  next?: string | null;
}

/** More requests than this would delay an upload longer than the answer is worth. */
const MAX_REQUESTS = 20;

/**
 * The paths of an upload that files already have. An upload of a few files looks each of them up. An upload of many looks at the
 * folder that contains them all, whose first 1,000 files are known then.
 */
export async function findReplaced(
  paths: readonly string[],
  list: (path: string) => PromiseLike<FilePage>,
): Promise<string[]> {
  const places = paths.length <= MAX_REQUESTS ? paths : [commonFolder(paths)];
  const pages = await Promise.all(places.map((place) => list(place)));
  const existing = new Set(pages.flatMap(({ results }) => results.map(({ path }) => path)));
  return paths.filter((path) => existing.has(path.normalize('NFC')));
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
