import { TextField } from '../../../../ui/field.js';
import { errorOf, type SectionProps } from '../section-props.js';
import { EnvironmentFields } from './environment-fields.js';
import { LinesField } from './lines-field.js';
import { useNodeEdit, withField } from './use-node-edit.js';

/** What the command of a tool and the script of a script have in common: arguments, image and environment. */
export function ProgramFields({ id, node, problems, part }: SectionProps & { part: 'container' | 'script' }) {
  const edit = useNodeEdit(id);
  const program = node[part];
  const set = (field: 'args' | 'image' | 'environment', value: unknown) =>
    edit.update(`${part} ${field}`, (old) => ({ ...old, [part]: withField(old[part] ?? {}, field, value) }));
  const error = (field: string) => errorOf({ id, problems }, `${part}.${field}`);
  return (
    <>
      <LinesField
        label="Arguments"
        hint="One per line, before those of the inputs."
        error={error('args')}
        value={program?.args}
        onChange={(words) => set('args', words)}
        onBlur={edit.close}
      />
      <TextField
        label="Image"
        hint="Stored with the workflow."
        error={error('image')}
        value={program?.image ?? ''}
        onChange={(value) => set('image', value === '' ? undefined : value)}
        onBlur={edit.close}
        className="font-mono"
        spellCheck={false}
      />
      <EnvironmentFields
        value={program?.environment}
        error={error('environment')}
        onChange={(value) => set('environment', value)}
        onBlur={edit.close}
      />
    </>
  );
}
