import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { spacesQuery } from '../../api/spaces.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ErrorNote } from '../../ui/error-note.js';
import { Page, Section } from '../../ui/page.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Attention } from './attention.js';
import { activeRunsQuery, recentRunsQuery, recentTablesQuery, recentWorkflowsQuery } from './queries.js';
import { TableList, WorkflowList } from './recent-lists.js';
import { RunList } from './run-list.js';
import { Tour } from './tour/tour.js';

/** What needs attention, what runs, and the way to what was used last. */
export function HomePage() {
  const active = useQuery(activeRunsQuery);
  const recent = useQuery(recentRunsQuery);
  const workflows = useQuery(recentWorkflowsQuery);
  const tables = useQuery(recentTablesQuery);
  return (
    <Page title="Home">
      <Tour />
      <NoSpaceNote />
      <div className="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] max-lg:grid-cols-1">
        <div>
          <Attention />
          {active.data && active.data.length > 0 && (
            <Section title="Running now">
              <RunList runs={active.data} />
            </Section>
          )}
          <Section title="Recent runs" actions={<More to="/runs">All runs</More>}>
            <Content query={recent}>
              {(runs) => (runs.length === 0 ? <Nothing>Nothing has run yet.</Nothing> : <RunList runs={runs} />)}
            </Content>
          </Section>
        </div>
        <div>
          <Section title="Workflows" actions={<More to="/workflows">All workflows</More>}>
            <Content query={workflows}>
              {(list) =>
                list.length === 0 ? <Nothing>There are no workflows yet.</Nothing> : <WorkflowList workflows={list} />
              }
            </Content>
          </Section>
          <Section title="Tables" actions={<More to="/tables">All tables</More>}>
            <Content query={tables}>
              {(list) =>
                list.length === 0 ? (
                  <Nothing>A table keeps what runs find. Bind an output of a workflow to one.</Nothing>
                ) : (
                  <TableList tables={list} />
                )
              }
            </Content>
          </Section>
        </div>
      </div>
    </Page>
  );
}

/** Says why everything is empty for a user without a role in any space. */
function NoSpaceNote() {
  const { data: spaces } = useQuery(spacesQuery);
  if (spaces?.length !== 0) return null;
  return (
    <EmptyState icon="users" title="You have no space yet">
      Workflows, runs and tables are in spaces. An owner of this vault can give you a role in one.
    </EmptyState>
  );
}

const More = ({ to, children }: { to: '/runs' | '/workflows' | '/tables'; children: ReactNode }) => (
  <Link to={to} className="text-sm text-muted hover:text-ink hover:underline">
    {children}
  </Link>
);

const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="rounded-md border border-dashed border-line px-4 py-6 text-center text-sm text-muted">{children}</p>
);

interface ContentProps<T> {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  children: (data: T) => ReactNode;
}

/** The data of a query; until it is there, lines or the error. Data of before stays if a refresh fails. */
function Content<T>({ query: { data, error, refetch }, children }: ContentProps<T>) {
  if (data !== undefined) return children(data);
  return error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : <Skeleton rows={4} />;
}
