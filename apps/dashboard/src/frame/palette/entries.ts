import { queryOptions } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { client } from '../../api/client.js';
import type { IconName } from '../../ui/icon.js';

/** What the palette lists: something to open, or something to do. */
export interface Entry {
  id: string;
  group: string;
  label: string;
  /** Where it is, or what it is. */
  detail?: string;
  icon: IconName;
  /** Keys that do the same. */
  keys?: string;
  action: { type: 'open'; link: Pick<LinkProps, 'to' | 'params' | 'search'> } | { type: 'do'; run: () => void };
}

const RESULTS_PER_GROUP = 5;

/** Records whose name contains the typed text. Each kind is a request of its own; one that fails leaves out its kind. */
export const recordsQuery = (text: string) =>
  queryOptions({
    queryKey: ['palette', text],
    queryFn: async ({ signal }) => {
      const query = { search: text, page_size: RESULTS_PER_GROUP };
      const groups = await Promise.allSettled([
        findWorkflows(query, signal),
        findTables(query, signal),
        findRuns(query, signal),
        findModules(query, signal),
        findSpaces(query, signal),
      ]);
      return groups.flatMap((group) => (group.status === 'fulfilled' ? group.value : []));
    },
    staleTime: 10_000,
  });

interface Search {
  search: string;
  page_size: number;
}

async function findWorkflows(query: Search, signal: AbortSignal): Promise<Entry[]> {
  const { results } = await client.workflows.list(query, { signal });
  return results.map(({ id, name, space_name: space }) => ({
    id: `workflow-${id}`,
    group: 'Workflows',
    label: name,
    detail: space,
    icon: 'workflow',
    action: { type: 'open', link: { to: '/workflows/$workflowId', params: { workflowId: id } } },
  }));
}

async function findTables(query: Search, signal: AbortSignal): Promise<Entry[]> {
  const { results } = await client.datasets.list(query, { signal });
  return results.map(({ id, name, description }) => ({
    id: `table-${id}`,
    group: 'Tables',
    label: name,
    ...(description !== undefined && { detail: description }),
    icon: 'table',
    action: { type: 'open', link: { to: '/tables/$tableId', params: { tableId: id } } },
  }));
}

async function findRuns(query: Search, signal: AbortSignal): Promise<Entry[]> {
  const { results } = await client.runs.list({ ...query, ordering: '-created_date' }, { signal });
  return results.map(({ id, name, status }) => ({
    id: `run-${id}`,
    group: 'Runs',
    label: `${name} #${id}`,
    detail: status.toLowerCase(),
    icon: 'play',
    action: { type: 'open', link: { to: '/runs/$runId', params: { runId: id } } },
  }));
}

async function findModules(query: Search, signal: AbortSignal): Promise<Entry[]> {
  const { results } = await client.modules.list(query, { signal });
  return results.map(({ id, name, description }) => ({
    id: `module-${id}`,
    group: 'Library',
    label: name,
    ...(description !== undefined && description !== null && { detail: description }),
    icon: 'package',
    action: { type: 'open', link: { to: '/library/modules/$moduleId', params: { moduleId: id } } },
  }));
}

async function findSpaces(query: Search, signal: AbortSignal): Promise<Entry[]> {
  const { results } = await client.spaces.list(query, { signal });
  return results.map(({ id, name }) => ({
    id: `space-${id}`,
    group: 'Spaces',
    label: name,
    icon: 'layers',
    action: { type: 'open', link: { to: '/workflows', search: { space: id } } },
  }));
}
