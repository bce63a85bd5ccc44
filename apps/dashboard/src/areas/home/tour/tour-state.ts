import { createStoredValue } from '../../../store/stored-value.js';

/** Whether the user has closed the first steps. */
export const isTourDone = createStoredValue('tour.done', false, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

/** What the user has opened from the first steps. */
export const seenInTour = createStoredValue('tour.seen', { workflow: false, table: false }, (value) => {
  const { workflow, table } = (value ?? {}) as Record<string, unknown>;
  return { workflow: workflow === true, table: table === true };
});
