import { useState } from 'react';
import { IconButton } from '../../../../ui/button.js';
import { Checkbox, TextField } from '../../../../ui/field.js';
import type { NodeRecord } from '../../document/document.js';
import { disconnect } from '../../edits/connection-edits.js';
import type { Connected } from '../../ports/connection-index.js';
import type { Problem } from '../../problems/problems.js';
import { useEditor } from '../../session/editor-context.js';
import { errorOf } from '../section-props.js';
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
  const { session, canEdit } = useEditor();
  const edit = useNodeEdit(id);
  const [isChoosing, setChoosing] = useState(false);
  const input = node.inputs?.[name];
  const setInput = (fields: Partial<NonNullable<typeof input>>) =>
    edit.update(`input ${name}`, (old) => ({
      ...old,
      inputs: { ...old.inputs, [name]: { ...(old.inputs?.[name] ?? { type: 'STRING' }), ...fields } },
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
            <Sources label={name} type={TYPES[type]} connections={connections} error={error} />
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
        {canEdit && isDeclared && connections.length === 0 && (
          <IconButton
            icon={node.id === undefined || node.id === null ? 'x' : 'eyeOff'}
            label={node.id === undefined || node.id === null ? `Remove ${name}` : `Leave ${name} out`}
            onClick={() => (node.id === undefined || node.id === null ? remove() : setInput({ visible: false }))}
          />
        )}
      </div>
      {isChoosing && <SourceDialog id={id} port={name} onClose={() => setChoosing(false)} />}
    </div>
  );

  function Sources({ label: title, type: typeName, connections: sources, error: problem }: SourcesProps) {
    return (
      <div>
        <p className="text-sm font-medium">
          {title} <span className="font-normal text-muted">{typeName}</span>
        </p>
        {sources.length === 0 && <p className="flex h-8 items-center text-sm text-muted">Nothing is connected</p>}
        <ul>
          {sources.map(({ key, source, sourcePort }) => (
            <li key={key} className="flex h-8 items-center gap-1 text-sm">
              <span aria-hidden className="text-muted">
                ←
              </span>
              <button
                type="button"
                dir="auto"
                className="link min-w-0 truncate"
                onClick={() => session.select([source])}
              >
                {source}
              </button>
              <span className="truncate text-muted">{sourcePort}</span>
              <span className="flex-1" />
              {canEdit && (
                <IconButton
                  icon="x"
                  label={`Disconnect ${source} from ${title}`}
                  onClick={() => session.edit(disconnect(session.document.get(), [key]), 'Disconnect')}
                />
              )}
            </li>
          ))}
        </ul>
        {problem !== undefined && <p className="wrap-text text-xs text-failed">{problem}</p>}
      </div>
    );
  }
}

interface SourcesProps {
  label: string;
  type: string;
  connections: readonly Connected[];
  error: string | undefined;
}
