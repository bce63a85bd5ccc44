import { useState } from 'react';
import { Button } from '../../../../ui/button.js';
import { INPUT_CLASS, Select } from '../../../../ui/field.js';
import type { NodeRecord } from '../../document/document.js';
import { useNodeEdit } from './use-node-edit.js';

type InputType = 'STRING' | 'BOOLEAN' | 'FILE' | 'FOLDER';

/** Declares a further input of a script or tool. */
export function NewInputForm({ id, node }: { id: string; node: NodeRecord }) {
  const edit = useNodeEdit(id);
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [type, setType] = useState<InputType>('STRING');
  const isValid = name !== '' && !name.includes('/') && !Object.hasOwn(node.inputs ?? {}, name);
  const add = () => {
    if (!isValid) return;
    const orders = Object.values(node.inputs ?? {}).map(({ order }) => order ?? 0);
    edit.update('new input', (old) => ({
      ...old,
      inputs: { ...old.inputs, [name]: { type, order: Math.max(0, ...orders) + 1 } },
    }));
    edit.close();
    setName('');
    setOpen(false);
  };
  if (!isOpen)
    return (
      <Button look="quiet" icon="plus" className="self-start" onClick={() => setOpen(true)}>
        Add an input
      </Button>
    );
  return (
    <div className="flex items-center gap-1.5">
      <input
        aria-label="Name of the new input"
        placeholder="Name"
        value={name}
        autoFocus
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add();
          if (event.key === 'Escape') setOpen(false);
        }}
        className={INPUT_CLASS}
      />
      <Select<InputType>
        aria-label="Type of the new input"
        value={type}
        options={[
          { value: 'STRING', label: 'Text' },
          { value: 'BOOLEAN', label: 'True or false' },
          { value: 'FILE', label: 'File' },
          { value: 'FOLDER', label: 'Folder' },
        ]}
        onChange={setType}
        className="w-32!"
      />
      <Button onClick={add} disabled={!isValid}>
        Add
      </Button>
    </div>
  );
}
