import { readChoice, readText, withoutEmpty } from '../../routing/read-search.js';
import type { PreviewView } from '../../ui/preview/list-views.js';

export const SORTS = ['path', '-path', 'size', '-size', 'modified_date', '-modified_date'] as const;
export type FilesSort = (typeof SORTS)[number];

const VIEWS: readonly PreviewView[] = ['image', 'tree', 'grid', 'text', 'hex'];

/** What the address of the storage browser contains. Fields with their default are absent. */
export interface FilesSearch {
  /** Path of the folder; absent for the top. */
  folder?: string;
  /** Text that the names contain, in the folder and below it. */
  q?: string;
  sort?: FilesSort;
  /** Id of the file that is open beside the list. */
  file?: string;
  /** How that file is shown. */
  view?: PreviewView;
}

export function readFilesSearch(search: Record<string, unknown>): FilesSearch {
  const sort = readChoice(search['sort'], SORTS);
  return withoutEmpty({
    folder: readText(readText(search['folder'])?.replaceAll(/^\/+|\/+$/g, '')),
    q: readText(search['q']),
    sort: sort === 'path' ? undefined : sort,
    file: readText(search['file']),
    view: readChoice(search['view'], VIEWS),
  });
}

export const isSort = (value: unknown): value is FilesSort => readChoice(value, SORTS) !== undefined;
