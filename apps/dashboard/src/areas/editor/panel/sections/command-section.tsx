import { TextField } from '../../../../ui/field.js';
import { LinesField } from '../fields/lines-field.js';
import { ProgramFields } from '../fields/program-fields.js';
import { useNodeEdit, withField } from '../fields/use-node-edit.js';
import { PanelSection } from '../panel-frame.js';
import { errorOf, type SectionProps } from '../section-props.js';

/** The command of a tool. */
export function CommandSection(section: SectionProps) {
  const { id, node } = section;
  const edit = useNodeEdit(id);
  const command = node.container?.command;
  const setCommand = (value: string | string[] | undefined) =>
    edit.update('container command', (old) => ({
      ...old,
      container: withField(old.container ?? {}, 'command', value),
    }));
  return (
    <PanelSection title="Command">
      {Array.isArray(command) ? (
        <LinesField
          label="Command"
          hint="One word per line."
          error={errorOf(section, 'container.command')}
          value={command}
          onChange={(words) => setCommand(words ?? [])}
          onBlur={edit.close}
        />
      ) : (
        <TextField
          label="Command"
          hint="It is split at spaces, and runs without a shell."
          error={errorOf(section, 'container.command')}
          value={command ?? ''}
          onChange={(value) => setCommand(value === '' ? undefined : value)}
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
      <ProgramFields {...section} part="container" />
    </PanelSection>
  );
}
