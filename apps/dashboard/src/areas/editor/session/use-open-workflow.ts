import { useEffect, useState } from 'react';
import { type OpenedWorkflow, openWorkflow } from './open-workflow.js';

type Opening = { state: 'loading' } | { state: 'open'; opened: OpenedWorkflow } | { state: 'failed'; error: unknown };

/**
 * Opens a workflow once. It is no query, because a query is repeated after a lost connection, and would replace the document that
 * the user is editing.
 */
export function useOpenWorkflow(workflow: string, user: string | undefined): Opening & { retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [opening, setOpening] = useState<{ key: string; result: Opening }>();
  const key = `${workflow} ${user ?? ''} ${attempt}`;
  useEffect(() => {
    if (user === undefined) return;
    const request = new AbortController();
    openWorkflow(workflow, user, request.signal).then(
      (opened) => setOpening({ key, result: { state: 'open', opened } }),
      (error: unknown) => {
        if (!request.signal.aborted) setOpening({ key, result: { state: 'failed', error } });
      },
    );
    return () => request.abort();
  }, [workflow, user, key]);
  const result: Opening = opening?.key === key ? opening.result : { state: 'loading' };
  return { ...result, retry: () => setAttempt(attempt + 1) };
}
