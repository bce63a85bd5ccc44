import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { reportLostConnection, whenRestored } from './connection.js';
import { isSessionOver, isUnavailable } from './describe-error.js';
import { reportEndedSession } from './session-state.js';

function handleError(error: unknown): void {
  if (isSessionOver(error)) reportEndedSession();
  if (isUnavailable(error)) reportLostConnection();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleError }),
  mutationCache: new MutationCache({ onError: handleError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The client repeats what may be repeated; the checks of the connection do the rest.
      retry: false,
      // Browsers report "offline" also for a server on the same machine.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

whenRestored(() => void queryClient.invalidateQueries());
