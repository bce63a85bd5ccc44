import { useState } from 'react';
import { IconButton } from './button.js';
import { copyText } from './copy-text.js';

/** A text to copy, such as a command or an id. */
export function Copyable({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div className="flex items-start gap-1 rounded-md border border-line bg-panel py-0.5 pr-0.5 pl-3">
      {/* Focusable, because a long line scrolls. */}
      <pre
        tabIndex={0}
        className="min-w-0 flex-1 overflow-x-auto py-1.5 font-mono text-xs whitespace-pre-wrap wrap-text"
      >
        {text}
      </pre>
      <IconButton icon={isCopied ? 'check' : 'copy'} label={isCopied ? 'Copied' : label} onClick={() => void copy()} />
    </div>
  );
}
