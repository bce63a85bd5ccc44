import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Session } from '@millrace/client';
import { client } from '../../api/client.js';
import { signOut } from '../../api/session.js';
import { countOf } from '../../text/format-count.js';
import { Button } from '../../ui/button.js';
import { ErrorNote } from '../../ui/error-note.js';
import { Icon } from '../../ui/icon.js';
import { Card } from '../../ui/page.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { notify, notifyError } from '../../ui/toast.js';
import { describeAgent } from './describe-agent.js';
import { Setting } from './setting.js';

const sessionsQuery = queryOptions({
  queryKey: ['settings', 'sessions'],
  queryFn: async ({ signal }) => await client.sessions.list({ page_size: 100 }, { signal }),
});

export function SessionsPage() {
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const refresh = () => queryClient.invalidateQueries(sessionsQuery);
  const endOthers = useMutation({
    mutationFn: () => client.sessions.endOthers(),
    onSuccess: ({ ended }) => {
      notify({ title: `${countOf(ended, 'session')} ended` });
      return refresh();
    },
    onError: (error) => notifyError('The sessions were not ended', error),
  });
  const others = sessions.data?.results.filter(({ current }) => !current).length ?? 0;
  return (
    <Setting
      title="Sessions"
      description="Browsers and command lines that are signed in as you. A session ends 30 days after its last use."
    >
      {sessions.error && <ErrorNote error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.isPending && <Skeleton rows={3} />}
      {sessions.data && (
        <Card>
          <ul className="divide-y divide-line">
            {sessions.data.results.map((session) => (
              <SessionRow key={session.id} session={session} onEnded={refresh} />
            ))}
          </ul>
        </Card>
      )}
      {others > 0 && (
        <Button look="danger" className="mt-4" isPending={endOthers.isPending} onClick={() => endOthers.mutate()}>
          End all other sessions
        </Button>
      )}
    </Setting>
  );
}

function SessionRow({ session, onEnded }: { session: Session; onEnded: () => Promise<void> }) {
  const end = useMutation({
    mutationFn: async () => {
      await (session.current ? signOut() : client.sessions.end(session.id));
    },
    onSuccess: onEnded,
    onError: (error) => notifyError('The session was not ended', error),
  });
  const isCommandLine = session.client !== 'web';
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <Icon name={isCommandLine ? 'terminal' : 'monitor'} size={18} className="text-muted" />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm" title={session.agent}>
          {isCommandLine ? 'Command line' : describeAgent(session.agent)}
          {session.current && <span className="text-succeeded"> · this session</span>}
        </p>
        <p className="wrap-text text-xs text-muted">
          {session.address !== undefined && `${session.address} · `}used <Time value={session.last_used_date} /> · began{' '}
          <Time value={session.created_date} />
        </p>
      </div>
      <Button isPending={end.isPending} onClick={() => end.mutate()}>
        {session.current ? 'Sign out' : 'End'}
      </Button>
    </li>
  );
}
