import { useEffect, useState } from 'react';
import { client } from '../../../api/client.js';
import type { QueryProblem } from './query-bar.js';

const PAUSE_MS = 350;

/** The error of a query while it is typed. An error at the end only says that the query is not complete yet. */
export function useQueryCheck(table: string, text: string, isEnabled: boolean): QueryProblem | undefined {
  const [found, setFound] = useState<{ text: string; problem: QueryProblem | undefined }>();
  useEffect(() => {
    if (!isEnabled || text.trim() === '') return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      client.rows.help(table, { text }, { signal: controller.signal }).then(
        ({ error }) => setFound({ text, problem: error && error.position < text.trimEnd().length ? error : undefined }),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [table, text, isEnabled]);
  return isEnabled && found?.text === text ? found.problem : undefined;
}
