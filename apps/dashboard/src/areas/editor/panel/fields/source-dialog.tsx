import { useState } from 'react';
import { ChoiceList } from '../../../../ui/choice-list.js';
import { Dialog } from '../../../../ui/dialog.js';
import { labelOf } from '../../document/label-of.js';
import { connectPorts } from '../../edits/connection-edits.js';
import { listSources } from '../../ports/list-sources.js';
import { useEditor } from '../../session/editor-context.js';

const MAX_LISTED = 100;

interface SourceDialogProps {
  id: string;
  port: string;
  onClose: () => void;
}

/** Connects an input by choosing among the outputs that fit it. */
export function SourceDialog({ id, port, onClose }: SourceDialogProps) {
  const { session } = useEditor();
  const [search, setSearch] = useState('');
  const document = session.document.get();
  const sources = listSources(document, { node: id, port });
  const found = sources
    .filter(({ node }) => `${labelOf(document, node)} ${node}`.toLowerCase().includes(search.toLowerCase()))
    .slice(0, MAX_LISTED);
  const choose = (source: { node: string; port: string }) => {
    session.edit(
      connectPorts(session.document.get(), {
        source: source.node,
        sourcePort: source.port,
        target: id,
        targetPort: port,
      }),
      'Connect',
    );
    onClose();
  };
  return (
    <Dialog
      title={`Connect ${port} of ${labelOf(document, id)}`}
      description="Outputs that fit this input."
      onClose={onClose}
    >
      <ChoiceList
        label="Search"
        listLabel="Outputs"
        typed={search}
        onType={setSearch}
        choices={found}
        keyOf={({ node, port: output }) => `${node} ${output}`}
        onChoose={choose}
        empty={
          sources.length === 0
            ? 'No node has an output that fits this input, or it would close a cycle.'
            : `No fitting output has “${search}” in the name of its node.`
        }
      >
        {(source) => (
          <>
            <span dir="auto" className="min-w-0 truncate">
              {labelOf(document, source.node)}
            </span>
            <span className="text-muted">{source.port}</span>
          </>
        )}
      </ChoiceList>
    </Dialog>
  );
}
