import { type Connection } from '../parse/level.js';
import { type InputType } from '../plan/plan.js';

/** What a source gives: a type, a splitter's item, or a module's output, which is a file or a folder as needed. */
export type Offer = InputType | 'ITEM' | 'OUTPUT';

/** What a destination takes: a value of a type, or files to take apart. */
export type Demand = InputType | 'LINES' | 'FILES';

const MATCHES: Record<Demand, Partial<Record<Offer, Connection['carries']>>> = {
  STRING: { STRING: 'value', ITEM: 'item' },
  BOOLEAN: { BOOLEAN: 'value' },
  FILE: { FILE: 'file', ITEM: 'item', OUTPUT: 'file' },
  FOLDER: { FOLDER: 'folder', OUTPUT: 'folder' },
  // An item is let through here, for the answer to that is "distributed twice" and not a matter of types.
  LINES: { FILE: 'file', FOLDER: 'folder', OUTPUT: 'file', ITEM: 'item' },
  FILES: { FILE: 'file', FOLDER: 'folder', OUTPUT: 'folder', ITEM: 'item' },
};

/** What goes along a connection of the two, or null where they do not fit. */
export const matchTypes = (demand: Demand, offer: Offer): Connection['carries'] | null =>
  MATCHES[demand][offer] ?? null;

const SPOKEN: Record<Offer | Demand, string> = {
  STRING: 'text',
  BOOLEAN: 'true or false',
  FILE: 'a file',
  FOLDER: 'a folder',
  ITEM: 'one item of a splitter',
  OUTPUT: 'a file or a folder',
  LINES: 'a file or a folder to split into lines',
  FILES: 'a folder to take file by file',
};

export const spellType = (type: Offer | Demand): string => SPOKEN[type];
