import { type Connection } from '../parse/level.js';
import { type InputType } from '../plan/plan.js';

/** The type of a connection's source. `OUTPUT` is a module's output: a file or a folder, as the destination requires. */
export type SourceType = InputType | 'ITEM' | 'OUTPUT';

/** The type of a connection's destination. `LINES` and `FILES` are inputs that the node splits. */
export type TargetType = InputType | 'LINES' | 'FILES';

const MATCHES: Record<TargetType, Partial<Record<SourceType, Connection['carries']>>> = {
  STRING: { STRING: 'value', ITEM: 'item' },
  BOOLEAN: { BOOLEAN: 'value' },
  FILE: { FILE: 'file', ITEM: 'item', OUTPUT: 'file' },
  FOLDER: { FOLDER: 'folder', OUTPUT: 'folder' },
  // An item is accepted here, because `distribution_twice` describes that error better than a type mismatch.
  LINES: { FILE: 'file', FOLDER: 'folder', OUTPUT: 'file', ITEM: 'item' },
  FILES: { FILE: 'file', FOLDER: 'folder', OUTPUT: 'folder', ITEM: 'item' },
};

/** Returns what a connection of these types carries, or null if they do not match. */
export const matchTypes = (target: TargetType, source: SourceType): Connection['carries'] | null =>
  MATCHES[target][source] ?? null;

const DESCRIPTIONS: Record<SourceType | TargetType, string> = {
  STRING: 'text',
  BOOLEAN: 'true or false',
  FILE: 'a file',
  FOLDER: 'a folder',
  ITEM: 'one item of a splitter',
  OUTPUT: 'a file or a folder',
  LINES: 'a file or a folder to split into lines',
  FILES: 'a folder to split into files',
};

export const describeType = (type: SourceType | TargetType): string => DESCRIPTIONS[type];
