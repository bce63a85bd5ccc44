import { useRef } from 'react';
import { Button } from './button.js';

interface FileButtonProps {
  label: string;
  /** Extensions that the file dialog offers, such as `.yaml,.yml`. */
  accept?: string;
  onFile: (file: File) => void | Promise<void>;
}

/** A button that opens the file dialog of the browser. */
export function FileButton({ label, accept, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void onFile(file);
          // The same file can be chosen again after it has changed.
          event.target.value = '';
        }}
      />
      <Button icon="file" className="self-start" onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
