import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run, Subjob, SubjobPage } from '@millrace/client';
import { client } from '../../../api/client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { countOf, formatCount } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { Icon } from '../../../ui/icon.js';
import { Card } from '../../../ui/page.js';
import { useRefreshRun } from '../actions/use-refresh-run.js';
import { PanelSection } from '../run/panel-section.js';
import { runKey } from '../run/run-query.js';
import { useRunSearch } from '../run/use-run-search.js';
import { useThrottled } from '../shared/use-throttled.js';
import { childIds } from './load-children.js';

const PAGE_SIZE = 20;
const COUNT_INTERVAL_MS = 2_000;
/** The API takes at most this many subjobs in one request. */
const MAX_RETRIED = 10_000;

/** The failed children with the last line of their logs, which their messages end with. */
export function FailedChildren({ run, group, failed }: { run: Run; group: Subjob; failed: number }) {
  const count = useThrottled(failed, COUNT_INTERVAL_MS);
  const { select } = useRunSearch();
  const list = useInfiniteQuery({
    queryKey: [...runKey(run.id), 'failed-children', group.id, count],
    queryFn: async ({ pageParam, signal }) => {
      const query = { status: 'FAILED', page_size: PAGE_SIZE, ...(pageParam !== '' && { cursor: pageParam }) };
      return await client.subjobs.children(run.id, group.id, query, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ cursor }: SubjobPage) => cursor ?? undefined,
    enabled: count > 0,
    placeholderData: keepPreviousData,
  });
  const children = list.data?.pages.flatMap(({ results }) => results) ?? [];
  if (failed === 0 || children.length === 0) return null;
  return (
    <PanelSection
      title={`${formatCount(failed)} failed`}
      actions={<RetryFailed run={run} group={group} failed={failed} />}
    >
      <Card className="divide-y divide-line">
        {children.map(({ id, task_index: index, message }) => (
          <button
            key={id}
            type="button"
            onClick={() => select(id, { tab: 'logs', stream: 'stderr' })}
            className="flex w-full items-center gap-2.5 px-3 py-1.5 text-left text-sm -outline-offset-2 hover:bg-hover"
          >
            <Icon name="circleX" className="text-failed" label="Failed" />
            <span className="nums w-14 shrink-0 text-muted">{index}</span>
            <span className="min-w-0 flex-1 truncate font-mono text-xs" title={message} dir="auto">
              {message}
            </span>
            <span className="link text-xs">Log</span>
          </button>
        ))}
      </Card>
      {list.hasNextPage && (
        <Button
          className="mt-2 self-start"
          isPending={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </PanelSection>
  );
}

function RetryFailed({ run, group, failed }: { run: Run; group: Subjob; failed: number }) {
  const [isAsking, setAsking] = useState(false);
  const mayRun = useSpaceRole(run.space_info, 'execute');
  const refresh = useRefreshRun(run.id);
  if (!mayRun || run.status === 'STOPPING') return null;
  const number = Math.min(failed, MAX_RETRIED);
  return (
    <>
      <Button icon="retry" onClick={() => setAsking(true)}>
        Retry failed
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Run ${countOf(number, 'failed child', 'failed children')} of “${group.label}” again?`}
          description="Everything that depends on a new result runs again, too. All other results stay."
          action="Retry"
          isDangerous={false}
          onConfirm={async () => {
            await client.runs.retry(run.id, { children: await childIds(group, 'FAILED', MAX_RETRIED) });
            await refresh();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
