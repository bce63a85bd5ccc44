import { formatBytes } from '../../../text/format-bytes.js';
import { countOf } from '../../../text/format-count.js';
import { Dialog } from '../../../ui/dialog.js';
import type { LogBuffer } from './text/log-buffer.js';
import { parseAnsi } from './text/parse-ansi.js';

/** A text of this length takes the browser about 50 ms to lay out. */
const MAX_BYTES = 200_000;

/** The whole of a long line, or as much of it as a browser shows without freezing. */
export function LineDialog({ buffer, line, onClose }: { buffer: LogBuffer; line: number; onClose: () => void }) {
  const { text, cutBytes } = buffer.getLine(line - 1, MAX_BYTES);
  return (
    <Dialog
      title={`Line ${line}`}
      description={
        cutBytes > 0
          ? `The first ${formatBytes(MAX_BYTES)}. Download the log for the other ${formatBytes(cutBytes)}.`
          : countOf(text.length, 'character')
      }
      width={900}
      onClose={onClose}
    >
      <pre tabIndex={0} className="max-h-[55vh] overflow-auto font-mono text-xs whitespace-pre-wrap wrap-text">
        {parseAnsi(text).map((span, index) => (
          <span key={index} className={span.className}>
            {span.text}
          </span>
        ))}
      </pre>
    </Dialog>
  );
}
