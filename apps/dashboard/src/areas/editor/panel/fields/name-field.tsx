import { useState } from 'react';
import { TextField } from '../../../../ui/field.js';
import { checkName, renameNode } from '../../edits/rename-node.js';
import { useDocument, useEditor } from '../../session/editor-context.js';

/** The name of a node, which is also the folder where other nodes find its outputs. It changes when the field is left. */
export function NameField({ id }: { id: string }) {
  const { session, canEdit } = useEditor();
  const document = useDocument();
  const [name, setName] = useState(id);
  const problem = checkName(document, name, id);
  const commit = () => {
    if (problem !== undefined || name === id) return setName(id);
    session.edit(renameNode(document, id, name), `Rename ${id}`);
    session.select([name]);
  };
  return (
    <TextField
      label="Name"
      hint={`Scripts that take its output find it in in/${name}/`}
      value={name}
      error={name === id ? undefined : problem}
      disabled={!canEdit}
      onChange={setName}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
