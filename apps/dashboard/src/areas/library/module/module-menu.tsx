import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { ModuleWithNode } from '@millrace/client';
import { client } from '../../../api/client.js';
import { IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { Menu } from '../../../ui/menu.js';
import { EditModuleDialog } from '../dialogs/edit-module-dialog.js';

/** It writes YAML, which no other part of the page needs. */
const NewVersionDialog = lazy(() =>
  import('../dialogs/new-version-dialog.js').then(({ NewVersionDialog }) => ({ default: NewVersionDialog })),
);

/** What users may do with a module of their vault. */
export function ModuleMenu({ module }: { module: ModuleWithNode }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'version' | 'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  const remove = async () => {
    await client.modules.delete(module.id);
    await navigate({ to: '/library' });
    queryClient.removeQueries({ queryKey: ['library', 'module', module.id] });
    await queryClient.invalidateQueries({ queryKey: ['library'] });
  };
  return (
    <>
      <Menu
        trigger={<IconButton icon="dots" label="More actions" look="secondary" />}
        groups={[
          [
            { label: 'New version…', icon: 'commit', onSelect: () => setOpen('version') },
            { label: 'Name and description…', icon: 'pencil', onSelect: () => setOpen('edit') },
          ],
          [{ label: 'Delete…', icon: 'trash', isDangerous: true, onSelect: () => setOpen('delete') }],
        ]}
      />
      <Suspense>{open === 'version' && <NewVersionDialog module={module} onClose={close} />}</Suspense>
      {open === 'edit' && <EditModuleDialog module={module} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete the module “${module.name}”?`}
          description="All its versions go, and it cannot be restored. Nodes that have it keep working, because each has a copy."
          action="Delete"
          typedName={module.name}
          onConfirm={remove}
          onClose={close}
        />
      )}
    </>
  );
}
