import { Button } from '../../../ui/button.js';
import { labelOf } from '../document/label-of.js';
import { disconnect } from '../edits/connection-edits.js';
import { readConnection } from '../ports/read-connection.js';
import { useDocument, useEditor } from '../session/editor-context.js';
import { PanelFrame, PanelSection } from './panel-frame.js';

/** A connection: where it starts and ends. */
export function ConnectionPanel({ id }: { id: string }) {
  const { session, canEdit } = useEditor();
  const document = useDocument();
  const record = document.connections[id];
  const ends = record && readConnection(record);
  if (!ends) return null;
  const [source, target] = [labelOf(document, ends.source), labelOf(document, ends.target)];
  const from = ends.sourcePort === '' ? source : `${source}, ${ends.sourcePort}`;
  const to = ends.targetPort === '' ? target : `${target}, ${ends.targetPort}`;
  return (
    <PanelFrame icon="arrowRight" kind="Connection" title={`${source} → ${target}`}>
      <PanelSection>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
          <dt className="text-muted">From</dt>
          <dd className="wrap-text">{from}</dd>
          <dt className="text-muted">To</dt>
          <dd className="wrap-text">{to}</dd>
        </dl>
        {ends.targetPort === '' && (
          <p className="text-sm text-muted">
            It passes no data: {target} starts after {source} has ended.
          </p>
        )}
        {canEdit && (
          <Button
            icon="trash"
            look="danger"
            className="self-start"
            onClick={() => session.edit(disconnect(session.document.get(), [id]), 'Disconnect')}
          >
            Remove the connection
          </Button>
        )}
      </PanelSection>
    </PanelFrame>
  );
}
