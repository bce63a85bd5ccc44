import type { PortEnd } from '../../../graph/graph-view.js';
import { Dialog } from '../../../ui/dialog.js';
import { labelOf } from '../document/label-of.js';
import { connectPorts } from '../edits/connection-edits.js';
import { fittingPorts } from '../ports/check-ports.js';
import { useEditor } from '../session/editor-context.js';

interface PortsDialogProps {
  from: PortEnd;
  node: string;
  onClose: () => void;
}

/** Chooses which port of a node a connection leads to, with the reason for each port that does not fit. */
export function PortsDialog({ from, node, onClose }: PortsDialogProps) {
  const { session } = useEditor();
  const document = session.document.get();
  const ports = fittingPorts(document, from, node);
  const label = labelOf(document, node);
  const choose = (port: string) => {
    const other = { node, port };
    const [source, target] = from.side === 'outputs' ? [from, other] : [other, from];
    session.edit(
      connectPorts(session.document.get(), {
        source: source.node,
        sourcePort: source.port,
        target: target.node,
        targetPort: target.port,
      }),
      'Connect',
    );
    onClose();
  };
  return (
    <Dialog title={`Connect ${labelOf(document, from.node)} with ${label}`} onClose={onClose}>
      <ul className="flex flex-col gap-1">
        {ports.map(({ port, reason }) => (
          <li key={port}>
            <button
              type="button"
              disabled={reason !== null}
              onClick={() => choose(port)}
              className="w-full rounded-md border border-line px-3 py-1.5 text-left text-sm enabled:hover:bg-hover disabled:border-transparent"
            >
              <span className={reason === null ? 'font-medium' : 'text-muted'}>{port}</span>
              {reason !== null && <span className="wrap-text block text-xs text-muted">{reason}</span>}
            </button>
          </li>
        ))}
      </ul>
      {ports.length === 0 && <p className="text-sm text-muted">{label} has no port for this connection.</p>}
    </Dialog>
  );
}
