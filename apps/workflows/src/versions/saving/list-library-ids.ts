import { listLibraryModules } from '@millrace/graph/check/check-library';
import { isId } from '@millrace/persistence/ids';

/** Ids of the library modules that a version's nodes were made from, each once; reads any data without complaint. */
export const listLibraryIds = (data: unknown): string[] => listLibraryModules(data).ids.filter(isId).sort();
