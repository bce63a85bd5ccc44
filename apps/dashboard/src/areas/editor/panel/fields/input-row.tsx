import { useState } from 'react';
import { IconButton } from '../../../../ui/button.js';
import { Checkbox, TextField } from '../../../../ui/field.js';
import type { NodeRecord } from '../../document/document.js';
import type { Connected } from '../../ports/connection-index.js';
import type { Problem } from '../../problems/problems.js';
import { useEditor } from '../../session/editor-context.js';
import { errorOf } from '../section-props.js';
import { InputSettings } from './input-settings.js';
import { InputSources } from './input-sources.js';
import { SourceDialog } from './source-dialog.js';
import { StorageButton } from './storage-button.js';
import { useNodeEdit } from './use-node-edit.js';

interface InputRowProps {
  id: string;
  node: NodeRecord;
  name: string;
  /** Scripts have the inputs `file` and `folder` without declaring them. */
  isDeclared: boolean;
  connections: readonly Connected[];
  problems: readonly Problem[];
}

const TYPES = { STRING: 'text', BOOLEAN: 'true or false', FILE: 'file', FOLDER: 'folder' };

/** One input of a node: what is connected, or its value. */
export function InputRow({ id, node, name, isDeclared, connections, problems }: InputRowProps) {
  const { canEdit } = useEditor();
  const edit = useNodeEdit(id);
  const [isChoosing, setChoosing] = useState(false);
  const [isDetailed, setDetailed] = useState(false);
  const input = node.inputs?.[name];
  const setInput = (fields: Partial<NonNullable<typeof input>>) =>
    edit.update(`input ${name}`, (old) => ({
      ...old,
      inputs: { ...old.inputs, [name]: withoutNulls({ ...(old.inputs?.[name] ?? { type: 'STRING' }), ...fields }) },
    }));
  const remove = () =>
    edit.update(`input ${name}`, (old) => {
      const { [name]: _removed, ...inputs } = old.inputs ?? {};
      return { ...old, inputs };
    });
  const type = input?.type ?? (name === 'folder' ? 'FOLDER' : 'FILE');
  const label = (
    <>
      {name} <span className="font-normal text-muted">{TYPES[type]}</span>
    </>
  );
  const error = errorOf({ id, problems }, `inputs.${name}`);
  return (
    <div className="group/input flex flex-col gap-1">
      <div className="flex items-end gap-1">
        <div className="min-w-0 flex-1">
          {connections.length > 0 || !isDeclared ? (
            <InputSources name={name} type={TYPES[type]} connections={connections} error={error} />
          ) : type === 'BOOLEAN' ? (
            <Checkbox
              label={label}
              checked={input?.value === true}
              onChange={(value) => setInput({ value, visible: true })}
            />
          ) : (
            <TextField
              label={label}
              {...(input?.description && { hint: input.description })}
              error={error}
              value={input?.value === undefined || input.value === null ? '' : String(input.value)}
              placeholder={type === 'STRING' ? '' : 'https://… or millrace://file/…'}
              dir="auto"
              onChange={(value) => setInput(value === '' ? { value: null } : { value, visible: true })}
              onBlur={edit.close}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </div>
        {canEdit && isDeclared && connections.length === 0 && (type === 'FILE' || type === 'FOLDER') && (
          <StorageButton
            name={name}
            isFolder={type === 'FOLDER'}
            onPick={(value) => setInput({ value, visible: true })}
          />
        )}
        {canEdit && type !== 'BOOLEAN' && (
          <IconButton icon="link" label={`Connect ${name} with an output`} onClick={() => setChoosing(true)} />
        )}
        {input && (node.type === 'TOOL' || node.type === 'SCRIPT') && (
          <IconButton
            icon="settings"
            label={`Flag and order of ${name}`}
            aria-expanded={isDetailed}
            onClick={() => setDetailed(!isDetailed)}
          />
        )}
        {canEdit && isDeclared && connections.length === 0 && (
          <IconButton
            icon={node.id === undefined || node.id === null ? 'x' : 'eyeOff'}
            label={node.id === undefined || node.id === null ? `Remove ${name}` : `Leave ${name} out`}
            onClick={() => (node.id === undefined || node.id === null ? remove() : setInput({ visible: false }))}
          />
        )}
      </div>
      {input && isDetailed && <InputSettings name={name} input={input} onChange={setInput} onBlur={edit.close} />}
      {isChoosing && <SourceDialog id={id} port={name} onClose={() => setChoosing(false)} />}
    </div>
  );
}

/** A setting that was cleared is left out, except the value: a node may set none where its module has one. */
const withoutNulls = (input: NonNullable<NodeRecord['inputs']>[string]): NonNullable<NodeRecord['inputs']>[string] =>
  Object.fromEntries(
    Object.entries(input).filter(([field, value]) => value !== null || field === 'value'),
  ) as typeof input;
