import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { client } from '../../api/client.js';
import { Button } from '../button.js';
import { ErrorNote } from '../error-note.js';
import { Checkbox, Field, INPUT_CLASS, TextField } from '../field.js';
import { FileButton } from '../file-button.js';
import { StoragePicker } from './storage-picker.js';

/** An input of a workflow that a run can set. */
interface RunInput {
  name: string;
  type: 'STRING' | 'BOOLEAN' | 'FILE' | 'FOLDER';
  isRequired: boolean;
}

interface RunInputFieldProps {
  input: RunInput;
  hint?: string | undefined;
  value: string | boolean | undefined;
  onChange: (value: string | boolean) => void;
}

/** An input of a run, by its type. */
export function RunInputField({ input, hint, value, onChange }: RunInputFieldProps) {
  const { name, type, isRequired } = input;
  if (type === 'BOOLEAN') return <Checkbox label={name} checked={value === true} onChange={onChange} />;
  const text = typeof value === 'string' ? value : '';
  if (type === 'STRING')
    return (
      <TextField
        label={<Label name={name} isRequired={isRequired} />}
        hint={hint}
        value={text}
        onChange={onChange}
        dir="auto"
        autoComplete="off"
      />
    );
  return <FileField input={input} hint={hint} value={text} onChange={onChange} />;
}

const Label = ({ name, isRequired }: { name: string; isRequired: boolean }) => (
  <span dir="auto">
    {name}
    {isRequired && <span className="font-normal text-muted"> required</span>}
  </span>
);

/** Uploaded files of runs are together in one folder of the storage. */
const uploadPath = (file: File): string => `uploads/${file.name}`;

interface FileFieldProps {
  input: RunInput;
  hint: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** A file or folder: from the storage, from the reader's computer by drag or dialog, or by its address. */
function FileField({ input, hint, value, onChange }: FileFieldProps) {
  const { name, type, isRequired } = input;
  const [isOver, setOver] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const upload = useMutation({
    mutationFn: (file: File) => client.files.upload(uploadPath(file), file),
    onSuccess: ({ path }) => onChange(`millrace://file/${path}`),
  });
  const drop = (event: DragEvent) => {
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (!file || type !== 'FILE') return;
    event.preventDefault();
    upload.mutate(file);
  };
  return (
    <div
      onDragOver={(event) => {
        if (type !== 'FILE' || !event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex flex-col gap-1.5 rounded-md ${isOver ? 'outline-2 outline-offset-4 outline-accent' : ''}`}
    >
      <Field
        label={<Label name={name} isRequired={isRequired} />}
        hint={
          hint ??
          (type === 'FILE'
            ? 'Drop a file here, or enter an http(s) address.'
            : 'A folder of the storage, or the address of a git repository.')
        }
      >
        {(attributes) => (
          <input
            {...attributes}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            placeholder={type === 'FILE' ? 'millrace://file/… or https://…' : 'millrace://file/<folder> or https://…'}
            className={INPUT_CLASS}
            spellCheck={false}
            autoComplete="off"
          />
        )}
      </Field>
      <div className="flex gap-1.5">
        <Button icon="folderOpen" aria-expanded={isPicking} onClick={() => setPicking(!isPicking)}>
          Choose from the storage
        </Button>
        {type === 'FILE' && (
          <FileButton
            label={upload.isPending ? 'Uploading…' : `Upload a file`}
            onFile={(file) => upload.mutate(file)}
          />
        )}
      </div>
      {upload.error && <ErrorNote error={upload.error} className="mt-0" />}
      {isPicking && (
        <StoragePicker
          isFolder={type === 'FOLDER'}
          onPick={(path) => {
            onChange(`millrace://file/${path}`);
            setPicking(false);
          }}
        />
      )}
    </div>
  );
}
