import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../../api/client.js';
import { Button, IconButton } from '../../../../ui/button.js';
import { ErrorNote } from '../../../../ui/error-note.js';
import { notifyError } from '../../../../ui/toast.js';
import type { NodeRecord } from '../../document/document.js';
import { bindingsQuery } from '../../session/bindings-query.js';
import { useEditor } from '../../session/editor-context.js';
import { PanelSection } from '../panel-frame.js';
import { BindDialog } from './bind-dialog.js';

/** The Live Tables that the node's outputs are loaded into after each run. */
export function TablesSection({ id, node }: { id: string; node: NodeRecord }) {
  const { workflow, canEdit } = useEditor();
  const queryClient = useQueryClient();
  const bindings = useQuery(bindingsQuery(workflow.id));
  const [isBinding, setBinding] = useState(false);
  const unbind = useMutation({
    mutationFn: (binding: string) => client.reportingNodes.delete(binding),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: bindingsQuery(workflow.id).queryKey }),
    onError: (error) => notifyError('The output could not be unbound', error),
  });
  const own = bindings.data?.filter((binding) => binding.node === id) ?? [];
  return (
    <PanelSection title="Tables">
      {own.length === 0 && (
        <p className="text-sm text-muted">Bind an output to a Live Table, and each run loads its lines there.</p>
      )}
      <ul>
        {own.map(({ binding, table, tableId, output }) => (
          <li key={binding} className="flex h-8 items-center gap-2 text-sm">
            <Link to="/tables/$tableId" params={{ tableId }} dir="auto" className="link min-w-0 truncate">
              {table}
            </Link>
            <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted">{output}</span>
            {canEdit && <IconButton icon="x" label={`Unbind ${table}`} onClick={() => unbind.mutate(binding)} />}
          </li>
        ))}
      </ul>
      {bindings.error && <ErrorNote error={bindings.error} onRetry={() => void bindings.refetch()} />}
      {canEdit && (
        <Button icon="table" className="self-start" onClick={() => setBinding(true)}>
          Bind to a table
        </Button>
      )}
      {isBinding && <BindDialog id={id} node={node} onClose={() => setBinding(false)} />}
    </PanelSection>
  );
}
