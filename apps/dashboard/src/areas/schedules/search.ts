import { readChoice, readText, withoutEmpty } from '../../routing/read-search.js';

export const STATES = ['active', 'paused', 'failing'] as const;
export type ScheduleState = (typeof STATES)[number];

/** What the address of the schedules contains. */
export interface SchedulesSearch {
  /** Text that the names of the workflows contain. */
  q?: string;
  state?: ScheduleState;
  /** Id of the workflow whose ticks are open beside the list. */
  workflow?: string;
  /** Id of the workflow whose schedule is being edited. It may have none yet. */
  edit?: string;
}

export function readSchedulesSearch(search: Record<string, unknown>): SchedulesSearch {
  return withoutEmpty({
    q: readText(search['q']),
    state: readChoice(search['state'], STATES),
    workflow: readText(search['workflow']),
    edit: readText(search['edit']),
  });
}
