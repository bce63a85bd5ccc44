import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { runKey } from '../run/run-query.js';

/** Requests everything of a run again, after the user has changed it. */
export function useRefreshRun(id: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: runKey(id) }),
      queryClient.invalidateQueries({ queryKey: ['runs', 'list'] }),
    ]);
  }, [queryClient, id]);
}
