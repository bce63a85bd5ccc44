import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.js';
import { TextAreaField, TextField } from '../../../ui/field.js';
import { FileButton } from '../../../ui/file-button.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { useOpenWorkflow } from '../use-open-workflow.js';
import { SpaceChoiceFields } from './space-choice-fields.js';
import { useSpaceChoice } from './use-space-choice.js';

interface ImportWorkflowDialogProps {
  space?: string;
  project?: string;
  onClose: () => void;
}

/** Creates a workflow from a file in YAML or JSON, chosen or pasted. */
export function ImportWorkflowDialog({ space, project, onClose }: ImportWorkflowDialogProps) {
  const queryClient = useQueryClient();
  const openWorkflow = useOpenWorkflow();
  const choice = useSpaceChoice({ space, project });
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const importing = useMutation({
    mutationFn: () =>
      client.workflows.import(
        { yaml: text },
        {
          query: {
            space: choice.space ?? '',
            ...(choice.project !== '' && { project: choice.project }),
            ...(name.trim() !== '' && { name: name.trim() }),
          },
        },
      ),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['workflows'] });
      openWorkflow(id);
    },
  });
  return (
    <FormDialog
      title="Import a workflow"
      description="A file that the editor, the command line or another installation has exported."
      action="Import"
      mutation={importing}
      isIncomplete={choice.space === undefined || text.trim() === ''}
      onClose={onClose}
    >
      <FileButton label="Choose a file" accept=".yaml,.yml,.json" onFile={async (file) => setText(await file.text())} />
      <TextAreaField
        label="YAML or JSON"
        hint="You can also paste it here."
        value={text}
        onChange={setText}
        rows={8}
        spellCheck={false}
        className="font-mono text-xs!"
      />
      <TextField
        label="Name"
        hint="Without it, the name in the file."
        value={name}
        onChange={setName}
        maxLength={255}
        dir="auto"
      />
      <SpaceChoiceFields choice={choice} />
    </FormDialog>
  );
}
