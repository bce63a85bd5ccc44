import { readChoice, readNumber, readText, withoutEmpty } from '../../../routing/read-search.js';

export const SUBJOB_TABS = ['children', 'summary', 'logs', 'outputs'] as const;
export type SubjobTab = (typeof SUBJOB_TABS)[number];

/** Groups of statuses that steps and children are filtered by. */
export const STEP_FILTERS = {
  failed: { label: 'Failed', statuses: ['FAILED'] },
  active: { label: 'Running', statuses: ['RUNNING', 'STOPPING'] },
  waiting: { label: 'Queued', statuses: ['PENDING'] },
  succeeded: { label: 'Succeeded', statuses: ['SUCCEEDED'] },
  other: { label: 'Skipped or stopped', statuses: ['SKIPPED', 'STOPPED'] },
} as const;
export type StepFilter = keyof typeof STEP_FILTERS;
export const STEP_FILTER_NAMES = Object.keys(STEP_FILTERS) as StepFilter[];

/** What the address of a run chooses. */
export interface RunSearch {
  /** Steps are a list by default. */
  view?: 'graph' | 'outputs';
  /** The filter of the list of steps. */
  steps?: StepFilter;
  /** What names of steps contain. */
  name?: string;
  /** The folded modules in the list of steps. */
  folded?: string;
  /** The selected subjob: a node, or a child of one. */
  subjob?: string;
  tab?: SubjobTab;
  /** The filter of the children. */
  children?: StepFilter;
  order?: 'duration';
  /** Which log; standard output by default. */
  stream?: 'stderr';
  attempt?: number;
  /** What is searched in the log. */
  find?: string;
  /** A line of the log, from 1. */
  line?: number;
  /** The output whose preview is open. */
  output?: string;
}

export const readRunSearch = (search: Record<string, unknown>): RunSearch =>
  withoutEmpty({
    view: readChoice(search['view'], ['graph', 'outputs'] as const),
    steps: readChoice(search['steps'], STEP_FILTER_NAMES),
    name: readText(search['name']),
    folded: readText(search['folded']),
    subjob: readText(search['subjob']),
    tab: readChoice(search['tab'], SUBJOB_TABS),
    children: readChoice(search['children'], STEP_FILTER_NAMES),
    order: readChoice(search['order'], ['duration'] as const),
    stream: readChoice(search['stream'], ['stderr'] as const),
    attempt: readNumber(search['attempt']),
    find: readText(search['find']),
    line: readNumber(search['line']),
    output: readText(search['output']),
  });

/** What belongs to a subjob, so that another subjob begins without it. */
const OF_SUBJOB = ['tab', 'children', 'order', 'stream', 'attempt', 'find', 'line', 'output'] as const;

/** The search after another subjob is selected. */
export function selectSubjob(search: RunSearch, subjob: string | undefined, rest: RunSearch = {}): RunSearch {
  const kept: RunSearch = { ...search };
  for (const field of OF_SUBJOB) delete kept[field];
  delete kept.subjob;
  return { ...kept, ...(subjob !== undefined && { subjob }), ...rest };
}
