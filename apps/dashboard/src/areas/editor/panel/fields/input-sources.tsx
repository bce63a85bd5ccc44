import { IconButton } from '../../../../ui/button.js';
import { labelOf } from '../../document/label-of.js';
import { disconnect } from '../../edits/connection-edits.js';
import type { Connected } from '../../ports/connection-index.js';
import { useDocument, useEditor } from '../../session/editor-context.js';

interface InputSourcesProps {
  name: string;
  type: string;
  connections: readonly Connected[];
  error: string | undefined;
}

/** What is connected with an input. */
export function InputSources({ name, type, connections, error }: InputSourcesProps) {
  const { session, canEdit } = useEditor();
  const document = useDocument();
  return (
    <div>
      <p className="text-sm font-medium">
        {name} <span className="font-normal text-muted">{type}</span>
      </p>
      {connections.length === 0 && <p className="flex h-8 items-center text-sm text-muted">Nothing is connected</p>}
      <ul>
        {connections.map(({ key, source, sourcePort }) => (
          <li key={key} className="flex h-8 items-center gap-1 text-sm">
            <span aria-hidden className="text-muted">
              ←
            </span>
            <button
              type="button"
              dir="auto"
              title={source}
              className="link min-w-0 truncate"
              onClick={() => session.select([source])}
            >
              {labelOf(document, source)}
            </button>
            <span className="truncate text-muted">{sourcePort}</span>
            <span className="flex-1" />
            {canEdit && (
              <IconButton
                icon="x"
                label={`Disconnect ${labelOf(document, source)} from ${name}`}
                onClick={() => session.edit(disconnect(session.document.get(), [key]), 'Disconnect')}
              />
            )}
          </li>
        ))}
      </ul>
      {error !== undefined && <p className="wrap-text text-xs text-failed">{error}</p>}
    </div>
  );
}
