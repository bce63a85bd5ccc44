import { readChoice, readText, withoutEmpty } from '../../routing/read-search.js';

export const KINDS = ['TOOL', 'SCRIPT', 'MODULE'] as const;
export type ModuleKind = (typeof KINDS)[number];

export const KIND_LABELS: Record<ModuleKind, string> = {
  TOOL: 'Tool',
  SCRIPT: 'Script',
  MODULE: 'Workflow module',
};

const SOURCES = ['built-in', 'vault'] as const;
type ModuleSource = (typeof SOURCES)[number];

/** What the address of the library contains. */
export interface LibrarySearch {
  /** Absent for the modules. */
  tab?: 'workflows';
  q?: string;
  kind?: ModuleKind;
  category?: string;
  /** Where the modules come from. */
  source?: ModuleSource;
}

export function readLibrarySearch({ tab, q, kind, category, source }: Record<string, unknown>): LibrarySearch {
  return withoutEmpty({
    tab: readChoice(tab, ['workflows'] as const),
    q: readText(q),
    kind: readChoice(kind, KINDS),
    category: readText(category),
    source: readChoice(source, SOURCES),
  });
}

const MODULE_TABS = ['versions', 'uses'] as const;

/** What the address of a module contains. */
export interface ModuleSearch {
  /** Absent for the docs. */
  tab?: (typeof MODULE_TABS)[number];
}

export const readModuleSearch = ({ tab }: Record<string, unknown>): ModuleSearch =>
  withoutEmpty({ tab: readChoice(tab, MODULE_TABS) });
