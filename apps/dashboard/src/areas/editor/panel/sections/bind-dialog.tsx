import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../../api/client.js';
import { Checkbox, SelectField, TextField } from '../../../../ui/field.js';
import { FormDialog } from '../../../../ui/form-dialog.js';
import type { NodeRecord } from '../../document/document.js';
import { bindingsQuery } from '../../session/bindings-query.js';
import { useEditor } from '../../session/editor-context.js';

const NEW = 'new';

interface BindDialogProps {
  id: string;
  node: NodeRecord;
  onClose: () => void;
}

/** Binds an output of a node to a table, which may be created here. The binding holds for all versions at once. */
export function BindDialog({ id, node, onClose }: BindDialogProps) {
  const { workflow } = useEditor();
  const queryClient = useQueryClient();
  const isModule = node.type === 'WORKFLOW';
  const [table, setTable] = useState(NEW);
  const [name, setName] = useState(`${workflow.name} ${id}`.slice(0, 255));
  const [output, setOutput] = useState(isModule ? (Object.keys(node.outputs ?? {})[0] ?? '') : 'output.txt');
  const [isPartial, setPartial] = useState(false);
  const tables = useQuery({
    queryKey: ['editor', 'tables'],
    queryFn: async ({ signal }) =>
      (await client.datasets.list({ page_size: 200, ordering: 'name' }, { signal })).results,
  });
  const solutions = useQuery({
    queryKey: ['editor', 'solutions'],
    queryFn: async ({ signal }) => (await client.solutions.list({ page_size: 200 }, { signal })).results,
  });
  const [database, setDatabase] = useState('');
  const chosenDatabase = database === '' ? solutions.data?.[0]?.id : database;
  const bind = useMutation({
    mutationFn: async () => {
      const dataset_id = table === NEW ? await createTable() : table;
      return client.reportingNodes.create({
        workflow: workflow.id,
        node_name: id,
        output_name: output,
        dataset_id,
        ...(isModule && { is_module: true }),
        ...(isPartial && { load_partial: true }),
      });
    },
    onSuccess: () => {
      onClose();
      void queryClient.invalidateQueries({ queryKey: bindingsQuery(workflow.id).queryKey });
      void queryClient.invalidateQueries({ queryKey: ['editor', 'tables'] });
    },
  });
  const createTable = async (): Promise<string> => {
    const solution =
      chosenDatabase ?? (await client.solutions.create({ name: 'Results', space: workflow.space_info })).id;
    return (await client.datasets.create({ name: name.trim(), solution })).id;
  };
  return (
    <FormDialog
      title={`Load the output of ${id} into a table`}
      description="Each line of the output becomes a row: JSON lines, CSV, or plain text."
      action="Bind"
      mutation={bind}
      isIncomplete={(table === NEW && name.trim() === '') || output === ''}
      onClose={onClose}
    >
      <SelectField
        label="Table"
        value={table}
        options={[
          { value: NEW, label: 'A new table' },
          ...(tables.data ?? []).map(({ id: value, name: label }) => ({ value, label })),
        ]}
        onChange={setTable}
      />
      {table === NEW && (
        <TextField label="Name of the table" value={name} onChange={setName} maxLength={255} dir="auto" />
      )}
      {table === NEW && (solutions.data?.length ?? 0) > 1 && (
        <SelectField
          label="Database"
          value={chosenDatabase ?? ''}
          options={(solutions.data ?? []).map(({ id: value, name: label }) => ({ value, label }))}
          onChange={setDatabase}
        />
      )}
      <TextField
        label="Output"
        hint={isModule ? 'One of the outputs of the module.' : 'The path inside of out/.'}
        value={output}
        onChange={setOutput}
        className="font-mono"
      />
      <Checkbox
        label="Also load the output of runs that failed or were stopped"
        checked={isPartial}
        onChange={setPartial}
      />
    </FormDialog>
  );
}
