import { TextAreaField, TextField } from '../../../../ui/field.js';
import { useNodeEdit, withField } from '../fields/use-node-edit.js';
import { PanelSection } from '../panel-frame.js';
import { errorOf, type SectionProps } from '../section-props.js';

/** The command of a tool. */
export function CommandSection({ id, node, problems }: SectionProps) {
  const edit = useNodeEdit(id);
  const command = node.container?.command;
  const setContainer = (field: string, value: unknown) =>
    edit.update(`container ${field}`, (old) => ({ ...old, container: withField(old.container ?? {}, field, value) }));
  return (
    <PanelSection title="Command">
      {Array.isArray(command) ? (
        <TextAreaField
          label="Command"
          hint="One word per line."
          error={errorOf({ id, problems }, 'container')}
          value={command.join('\n')}
          onChange={(value) => setContainer('command', value.split('\n'))}
          onBlur={edit.close}
          className="font-mono text-xs!"
          spellCheck={false}
        />
      ) : (
        <TextField
          label="Command"
          hint="It is split at spaces, and runs without a shell."
          error={errorOf({ id, problems }, 'container')}
          value={command ?? ''}
          onChange={(value) => setContainer('command', value === '' ? undefined : value)}
          onBlur={edit.close}
          className="font-mono"
          spellCheck={false}
        />
      )}
      <TextField
        label="Output"
        hint="The flag before the output file, or > for standard output."
        value={node.output_command ?? ''}
        onChange={(value) => edit.set('output_command', value === '' ? undefined : value)}
        onBlur={edit.close}
        className="font-mono"
        spellCheck={false}
      />
      <TextField
        label="Image"
        hint="Stored with the workflow."
        value={node.container?.image ?? ''}
        onChange={(value) => setContainer('image', value === '' ? undefined : value)}
        onBlur={edit.close}
        className="font-mono"
        spellCheck={false}
      />
    </PanelSection>
  );
}
