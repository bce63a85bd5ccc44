import { useState } from 'react';
import type { GraphNode } from '../../../graph/model/graph.js';
import { ChoiceList } from '../../../ui/choice-list.js';
import { Dialog } from '../../../ui/dialog.js';
import { Icon } from '../../../ui/icon.js';
import type { NodeFace } from './derive-graph.js';
import { NODE_KINDS } from './node-kinds.js';

const MAX_FOUND = 50;

interface FindDialogProps {
  nodes: readonly GraphNode<NodeFace>[];
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** Finds a node by its name, its label or what it runs. */
export function FindDialog({ nodes, onChoose, onClose }: FindDialogProps) {
  const [search, setSearch] = useState('');
  const words = search.toLowerCase();
  const found = nodes
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
