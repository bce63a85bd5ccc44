import { useMemo, useState } from 'react';
import { Checkbox } from '../field.js';
import { decodeText, showControlCharacters } from './decode-text.js';
import { formatHex } from './format-hex.js';

const BLOCK_CLASS = 'min-h-0 flex-1 overflow-auto p-3 font-mono text-xs';

/** Text with its line breaks. Control characters are visible. */
export function TextView({ bytes }: { bytes: Uint8Array }) {
  const [isWrapped, setWrapped] = useState(true);
  const text = useMemo(() => showControlCharacters(decodeText(bytes)), [bytes]);
  return (
    <>
      <pre tabIndex={0} className={`${BLOCK_CLASS} ${isWrapped ? 'wrap-text whitespace-pre-wrap' : ''}`}>
        {text}
      </pre>
      <div className="shrink-0 border-t border-line px-3 py-1.5 text-muted">
        <Checkbox label="Wrap long lines" checked={isWrapped} onChange={setWrapped} />
      </div>
    </>
  );
}

const MAX_HEX_BYTES = 64_000;

/** The first 64 kB as bytes and characters. */
export function HexView({ bytes }: { bytes: Uint8Array }) {
  const dump = useMemo(() => formatHex(bytes.subarray(0, MAX_HEX_BYTES)), [bytes]);
  return (
    <pre tabIndex={0} className={BLOCK_CLASS}>
      {dump}
      {bytes.length > MAX_HEX_BYTES && '\n…'}
    </pre>
  );
}
