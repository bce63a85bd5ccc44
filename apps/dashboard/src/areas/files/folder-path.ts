export interface FolderStep {
  name: string;
  path: string;
}

/** The folders from the top down to a path: `a/b` is `a`, `a/b`. */
export function listSteps(path: string): FolderStep[] {
  const names = path === '' ? [] : path.split('/');
  return names.map((name, at) => ({ name, path: names.slice(0, at + 1).join('/') }));
}

/** The folder that contains a path; empty for the top. */
export const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/');

export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** A path as the reader of `folder` needs it: without the part that is the same. */
export const relativeTo = (folder: string, path: string): string =>
  folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
