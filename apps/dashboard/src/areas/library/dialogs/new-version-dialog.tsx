import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModuleWithNode } from '@millrace/client';
import { client } from '../../../api/client.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { notify } from '../../../ui/toast.js';
import { ModuleFileField } from './module-file-field.js';
import { PublishedChoice } from './published-choice.js';
import { writeModuleFile } from './write-module-file.js';

interface NewVersionDialogProps {
  module: ModuleWithNode;
  onClose: () => void;
}

/** Changes what a module does. Nodes that have it keep their version. */
export function NewVersionDialog({ module, onClose }: NewVersionDialogProps) {
  const queryClient = useQueryClient();
  const isWorkflow = module.type === 'MODULE';
  const [yaml, setYaml] = useState(() => (isWorkflow ? '' : writeModuleFile(module)));
  const [snapshot, setSnapshot] = useState('');
  const create = useMutation({
    mutationFn: () => client.modules.createVersion(module.id, isWorkflow ? { snapshot } : { yaml }),
    onSuccess: async ({ version }) => {
      await queryClient.invalidateQueries({ queryKey: ['library'] });
      notify(
        version === module.version
          ? { title: 'Nothing has changed', description: `Version ${version} has the same content.` }
          : { title: `Version ${version} is current` },
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title={`New version of “${module.name}”`}
      description="Nodes that have the module keep their version until their workflow is saved with the new one."
      action="Make the version"
      mutation={create}
      width={720}
      isIncomplete={isWorkflow ? snapshot === '' : yaml.trim() === ''}
      onClose={onClose}
    >
      {isWorkflow ? (
        <PublishedChoice value={snapshot} onChange={setSnapshot} />
      ) : (
        <ModuleFileField value={yaml} onChange={setYaml} />
      )}
    </FormDialog>
  );
}
