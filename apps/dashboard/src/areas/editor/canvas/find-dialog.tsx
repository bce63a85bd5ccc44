import { useMemo, useState } from 'react';
import type { GraphNode } from '../../../graph/model/graph.js';
import { ChoiceList } from '../../../ui/choice-list.js';
import { Dialog } from '../../../ui/dialog.js';
import { Icon } from '../../../ui/icon.js';
import type { Document } from '../document/document.js';
import { labelOf } from '../document/label-of.js';
import { useDocument } from '../session/editor-context.js';
import type { NodeFace } from './derive-graph.js';
import { NODE_KINDS } from './node-kinds.js';

const MAX_FOUND = 50;

type Found = Pick<GraphNode<NodeFace>, 'id'> & { data: Pick<NodeFace, 'kind' | 'title' | 'subtitle'> };

/** The nodes of collapsed groups, which the canvas does not draw. */
const listHidden = (document: Document): Found[] =>
  Object.values(document.groups).flatMap(({ label, nodes, is_collapsed: isCollapsed }) =>
    isCollapsed === true
      ? nodes.flatMap((id) => {
          const kind = document.nodes[id]?.type ?? document.primitiveNodes[id]?.type;
          return kind ? [{ id, data: { kind, title: labelOf(document, id), subtitle: `in ${label}` } }] : [];
        })
      : [],
  );

interface FindDialogProps {
  nodes: readonly Found[];
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** Finds a node by its name, its label or what it runs. */
export function FindDialog({ nodes, onChoose, onClose }: FindDialogProps) {
  const [search, setSearch] = useState('');
  const document = useDocument();
  const hidden = useMemo(() => listHidden(document), [document]);
  const words = search.toLowerCase();
  const found = [...nodes, ...hidden]
    .filter(({ id, data }) => `${id} ${data.title} ${data.subtitle}`.toLowerCase().includes(words))
    .slice(0, MAX_FOUND);
  return (
    <Dialog title="Find a node" onClose={onClose}>
      <ChoiceList
        label="Name of the node"
        listLabel="Nodes"
        typed={search}
        onType={setSearch}
        choices={found}
        keyOf={({ id }) => id}
        onChoose={({ id }) => onChoose(id)}
        empty={`No node has “${search}” in its name.`}
      >
        {({ id, data }) => (
          <>
            <Icon name={data.kind === 'GROUP' ? 'layers' : NODE_KINDS[data.kind].icon} className="text-muted" />
            <span dir="auto" className="truncate">
              {data.title}
            </span>
            {data.title !== id && data.kind !== 'GROUP' && (
              <span dir="auto" className="truncate text-xs text-muted">
                {id}
              </span>
            )}
            <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted">{data.subtitle}</span>
          </>
        )}
      </ChoiceList>
    </Dialog>
  );
}
