import type { RunsResource } from './generated/resources.js';
import type { Run } from './generated/types.js';
import type { RunEvent } from './run-events.js';

export interface WaitOptions {
  signal?: AbortSignal;
  /** Called for each status change of the run and of its subjobs, from its start. */
  onEvent?: (event: RunEvent) => void;
}

/** Follows the events of a run to its end. */
export async function waitForRun(
  runs: Pick<RunsResource, 'events' | 'get'>,
  id: string,
  { signal, onEvent }: WaitOptions = {},
): Promise<Run> {
  for await (const event of runs.events(id, { ...(signal && { signal }) })) onEvent?.(event);
  return runs.get(id, { ...(signal && { signal }) });
}
