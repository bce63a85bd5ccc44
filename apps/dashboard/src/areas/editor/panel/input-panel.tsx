import { IconButton } from '../../../ui/button.js';
import { Checkbox, SelectField, TextField } from '../../../ui/field.js';
import { NODE_KINDS } from '../canvas/node-kinds.js';
import type { InputRecord } from '../document/document.js';
import { updateInput } from '../edits/node-edits.js';
import { deleteSelected } from '../session/editor-actions.js';
import { useEditor, useValidation } from '../session/editor-context.js';
import { StorageButton } from './fields/storage-button.js';
import { withField } from './fields/use-node-edit.js';
import { NodeProblems } from './node-problems.js';
import { PanelFrame, PanelSection } from './panel-frame.js';
import { errorOf } from './section-props.js';

interface InputPanelProps {
  id: string;
  input: InputRecord;
  openCount: number;
}

const TYPES: readonly { value: InputRecord['type']; label: string }[] = [
  { value: 'FILE', label: 'File' },
  { value: 'FOLDER', label: 'Folder' },
  { value: 'STRING', label: 'Text' },
  { value: 'BOOLEAN', label: 'True or false' },
];

/** An input of the workflow. */
export function InputPanel({ id, input, openCount }: InputPanelProps) {
  const { session, canEdit } = useEditor();
  const { problems } = useValidation();
  const own = problems.byNode.get(id) ?? [];
  const { icon, label } = NODE_KINDS[input.type];
  const set = (field: string, value: unknown) =>
    session.edit(
      updateInput(session.document.get(), id, (old) => withField(old, field, value)),
      `Edit ${id}`,
      `${id} ${field}`,
    );
  const close = () => session.closeStep();
  return (
    <PanelFrame
      icon={icon}
      kind={input.label === undefined ? label : `${label} ${id}`}
      title={input.label ?? id}
      openCount={openCount}
      actions={canEdit && <IconButton icon="trash" label={`Delete ${id}`} onClick={() => deleteSelected(session)} />}
    >
      <fieldset disabled={!canEdit} className="min-w-0">
        <legend className="sr-only">Settings of {id}</legend>
        <NodeProblems id={id} problems={own} />
        <PanelSection>
          <TextField
            label="Label"
            hint="A run sets the input by this name."
            value={input.label ?? ''}
            dir="auto"
            onChange={(value) => set('label', value === '' ? undefined : value)}
            onBlur={close}
            autoComplete="off"
          />
          <SelectField
            label="Type"
            value={input.type}
            error={errorOf({ id, problems: own }, 'type')}
            options={TYPES}
            onChange={(type) =>
              session.edit(
                updateInput(session.document.get(), id, (old) =>
                  withField({ ...old, type }, 'value', type === 'BOOLEAN' ? false : undefined),
                ),
                `Edit ${id}`,
              )
            }
          />
          {input.type === 'BOOLEAN' ? (
            <Checkbox
              label="True by default"
              checked={input.value === true}
              onChange={(value) => set('value', value)}
            />
          ) : (
            <div className="flex items-start gap-1">
              <div className="min-w-0 flex-1">
                <TextField
                  label="Default"
                  hint="Without a default, each run must set it."
                  error={errorOf({ id, problems: own }, 'value')}
                  value={input.value === undefined || input.value === null ? '' : String(input.value)}
                  placeholder={input.type === 'STRING' ? '' : 'https://… or millrace://file/…'}
                  dir="auto"
                  onChange={(value) => set('value', value === '' ? undefined : value)}
                  onBlur={close}
                  autoComplete="off"
                  spellCheck={false}
                />
              </div>
              {canEdit && input.type !== 'STRING' && (
                <div className="pt-6">
                  <StorageButton
                    name={input.label ?? id}
                    isFolder={input.type === 'FOLDER'}
                    onPick={(value) => set('value', value)}
                  />
                </div>
              )}
            </div>
          )}
        </PanelSection>
      </fieldset>
    </PanelFrame>
  );
}
