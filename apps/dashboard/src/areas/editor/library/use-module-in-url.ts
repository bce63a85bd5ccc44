import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { notifyError } from '../../../ui/toast.js';
import { editorRoute } from '../routes.js';
import { useEditor } from '../session/editor-context.js';
import { moduleItem, type LibraryItem } from './library-item.js';

/** Adds the module that the address names, once, and takes it out of the address. The page of a module leads here. */
export function useModuleInUrl(id: string | undefined, add: (item: LibraryItem) => void): void {
  const navigate = useNavigate();
  const { canEdit } = useEditor();
  const added = useRef<string>(undefined);
  const latest = useRef(add);
  useEffect(() => {
    latest.current = add;
  });
  useEffect(() => {
    if (id === undefined || !canEdit || added.current === id) return;
    added.current = id;
    void navigate({ from: editorRoute.fullPath, search: ({ add: _, ...old }) => old, replace: true });
    queryClient
      .fetchQuery({
        queryKey: ['editor', 'module', id],
        queryFn: ({ signal }) => client.modules.get(id, { signal }),
        staleTime: 60_000,
      })
      .then(
        (module) => latest.current(moduleItem(module)),
        (error: unknown) => notifyError('The module could not be added', error),
      );
  }, [id, canEdit, navigate]);
}
