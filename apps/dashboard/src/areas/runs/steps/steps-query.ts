import { queryOptions } from '@tanstack/react-query';
import type { Subjob } from '@millrace/client';
import { client } from '../../../api/client.js';
import { changeSteps } from '../live/apply-change.js';
import { liveRunOf } from '../live/live-run.js';
import { runKey } from '../run/run-query.js';

const PAGE_SIZE = 1000;

/** The nodes of a run and its task groups, without children: at most 5,000. */
export const stepsQuery = (run: string) =>
  queryOptions({
    queryKey: [...runKey(run), 'steps'],
    queryFn: async ({ signal }): Promise<readonly Subjob[]> => {
      const live = liveRunOf(run);
      live.stepsRequestedAt = Date.now();
      const steps: Subjob[] = [];
      for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined;) {
        const query = { page_size: PAGE_SIZE, ...(cursor !== '' && { cursor }) };
        const page = await client.subjobs.list(run, query, { signal });
        steps.push(...page.results);
        cursor = page.cursor;
      }
      return changeSteps(steps, live.stepChanges);
    },
    staleTime: 30_000,
  });
