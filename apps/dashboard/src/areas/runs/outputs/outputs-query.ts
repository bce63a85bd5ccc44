import { infiniteQueryOptions } from '@tanstack/react-query';
import type { OutputPage, OutputsListOfRunQuery } from '@millrace/client';
import { client } from '../../../api/client.js';
import { runKey } from '../run/run-query.js';

const PAGE_SIZE = 50;

interface OutputScope {
  run: string;
  /** Outputs of one subjob; of a task group, those of its children. */
  subjob?: string;
  named?: boolean;
  search?: string;
}

export const outputsQuery = ({ run, subjob, named = false, search }: OutputScope) =>
  infiniteQueryOptions({
    queryKey: [...runKey(run), 'outputs', subjob ?? '', named, search ?? ''],
    queryFn: async ({ pageParam, signal }): Promise<OutputPage> => {
      const query: OutputsListOfRunQuery = {
        page_size: PAGE_SIZE,
        ...(search !== undefined && { search }),
        ...(pageParam !== '' && { cursor: pageParam }),
      };
      if (subjob !== undefined) return await client.outputs.listOfSubjob(run, subjob, query, { signal });
      return await client.outputs.listOfRun(run, { ...query, ...(named && { named: 'true' }) }, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    staleTime: 30_000,
  });
