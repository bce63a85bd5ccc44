import { useState } from 'react';
import { Button, IconButton } from '../../../../ui/button.js';
import { INPUT_CLASS, TextAreaField } from '../../../../ui/field.js';
import { useEditor } from '../../session/editor-context.js';

type Environment = Readonly<Record<string, string>>;

interface EnvironmentFieldsProps {
  value: Environment | null | undefined;
  error: string | undefined;
  onChange: (value: Record<string, string> | undefined) => void;
  /** Ends the step to undo. */
  onBlur: () => void;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_ROWS = 6;

/** Environment variables of a node: the value of each, and a form for a new one. */
export function EnvironmentFields({ value, error, onChange, onBlur }: EnvironmentFieldsProps) {
  const { canEdit } = useEditor();
  const variables = value ?? {};
  const remove = (name: string) => {
    const { [name]: _removed, ...rest } = variables;
    onChange(Object.keys(rest).length > 0 ? rest : undefined);
    onBlur();
  };
  return (
    <div role="group" aria-label="Environment variables" className="flex flex-col gap-2">
      <div>
        <p className="text-sm font-medium">Environment variables</p>
        {error !== undefined && <p className="wrap-text text-xs text-failed">{error}</p>}
        <p className="text-xs text-muted">
          A secret variable is <code className="font-mono">{'${{vars.NAME}}'}</code>.
        </p>
      </div>
      {Object.entries(variables).map(([name, text]) => (
        <div key={name} className="flex items-end gap-1">
          <div className="min-w-0 flex-1">
            <TextAreaField
              label={<span className="font-mono text-xs">{name}</span>}
              value={text}
              rows={Math.min(text.split('\n').length, MAX_ROWS)}
              onChange={(next) => onChange({ ...variables, [name]: next })}
              onBlur={onBlur}
              className="font-mono text-xs!"
              spellCheck={false}
            />
          </div>
          {canEdit && <IconButton icon="x" label={`Remove ${name}`} onClick={() => remove(name)} />}
        </div>
      ))}
      {canEdit && (
        <NewVariable
          variables={variables}
          onAdd={(name) => {
            onChange({ ...variables, [name]: '' });
            onBlur();
          }}
        />
      )}
    </div>
  );
}

function NewVariable({ variables, onAdd }: { variables: Environment; onAdd: (name: string) => void }) {
  const [name, setName] = useState('');
  const isValid = NAME.test(name) && !Object.hasOwn(variables, name);
  const add = () => {
    if (!isValid) return;
    onAdd(name);
    setName('');
  };
  return (
    <div className="flex items-center gap-1.5">
      <input
        aria-label="Name of the new variable"
        title="Letters, digits and underscores"
        placeholder="NAME"
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add();
        }}
        autoComplete="off"
        spellCheck={false}
        className={`${INPUT_CLASS} font-mono text-xs!`}
      />
      <Button onClick={add} disabled={!isValid}>
        Add
      </Button>
    </div>
  );
}
