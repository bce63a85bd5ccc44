import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../api/client.js';
import { SelectField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { ModuleFileField } from './module-file-field.js';
import { TEMPLATES, type Template } from './module-templates.js';
import { PublishedChoice } from './published-choice.js';

type Origin = Template | 'published';

interface AddModuleDialogProps {
  /** The published workflow to begin with. */
  snapshot?: { id: string; name: string };
  onClose: () => void;
}

const isTemplate = (text: string): boolean => Object.values<string>(TEMPLATES).includes(text);

/** The text of a module that was not added yet. It stays if the dialog is closed. */
let draft: string | undefined;

/** Adds a tool, a script or a published workflow to the library. */
export function AddModuleDialog({ snapshot, onClose }: AddModuleDialogProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [origin, setOrigin] = useState<Origin>(snapshot ? 'published' : 'script');
  const [yaml, setText] = useState<string>(draft ?? TEMPLATES.script);
  const [published, setPublished] = useState({ id: snapshot?.id ?? '', name: snapshot?.name ?? '', category: '' });
  const { id, name, category } = published;
  const setYaml = (text: string) => {
    draft = isTemplate(text) ? undefined : text;
    setText(text);
  };
  const add = useMutation({
    mutationFn: () =>
      client.modules.create(
        origin === 'published'
          ? { type: 'MODULE', name: name.trim(), snapshot: id, ...(category !== '' && { category }) }
          : { yaml },
      ),
    onSuccess: async (module) => {
      draft = undefined;
      await queryClient.invalidateQueries({ queryKey: ['library'] });
      onClose();
      await navigate({ to: '/library/modules/$moduleId', params: { moduleId: module.id } });
    },
  });
  const choose = (next: Origin) => {
    setOrigin(next);
    // A text that the user has written stays.
    if (next !== 'published' && isTemplate(yaml)) setYaml(TEMPLATES[next]);
  };
  return (
    <FormDialog
      title="Add a module"
      description="Everyone in the vault can use it as a node."
      action="Add"
      mutation={add}
      width={720}
      isIncomplete={origin === 'published' ? id === '' || name.trim() === '' : yaml.trim() === ''}
      onClose={onClose}
    >
      <SelectField
        label="Kind"
        value={origin}
        options={[
          { value: 'script', label: 'Script' },
          { value: 'tool', label: 'Tool: a command' },
          { value: 'published', label: 'Workflow module: a published workflow' },
        ]}
        onChange={choose}
      />
      {origin === 'published' ? (
        <>
          <PublishedChoice
            value={id}
            onChange={(next, label) => setPublished({ ...published, id: next, name: label })}
          />
          <TextField
            label="Name"
            value={name}
            onChange={(text) => setPublished({ ...published, name: text })}
            maxLength={255}
            dir="auto"
            required
          />
          <TextField
            label="Category"
            hint="Optional"
            value={category}
            onChange={(text) => setPublished({ ...published, category: text })}
            maxLength={255}
          />
        </>
      ) : (
        <ModuleFileField value={yaml} onChange={setYaml} />
      )}
    </FormDialog>
  );
}
