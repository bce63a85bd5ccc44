import { type KeyboardEvent, useId, useState } from 'react';
import type { GraphNode } from '../../../graph/model/graph.js';
import { Dialog } from '../../../ui/dialog.js';
import { INPUT_CLASS } from '../../../ui/field.js';
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
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const words = search.toLowerCase();
  const found = nodes
    .filter(({ id: name, data }) => `${name} ${data.title} ${data.subtitle}`.toLowerCase().includes(words))
    .slice(0, MAX_FOUND);
  const active = Math.min(chosen, found.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen(Math.min(Math.max(active + step, 0), found.length - 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const node = found[active];
      if (node) onChoose(node.id);
    }
  };
  return (
    <Dialog title="Find a node" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Name of the node"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        autoFocus
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        className={INPUT_CLASS}
      />
      <ul id={id} role="listbox" aria-label="Nodes" className="mt-2 max-h-80 overflow-y-auto">
        {found.map(({ id: name, data }, index) => (
          // The keys are those of the field, which keeps the focus.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => onChoose(name)}
            className={`flex items-center gap-2.5 rounded-md px-2 py-1.5 ${index === active ? 'bg-selected' : 'hover:bg-hover'}`}
          >
            <Icon name={data.kind === 'GROUP' ? 'layers' : NODE_KINDS[data.kind].icon} className="text-muted" />
            <span dir="auto" className="truncate text-sm">
              {data.title}
            </span>
            {data.title !== name && data.kind !== 'GROUP' && (
              <span dir="auto" className="truncate text-xs text-muted">
                {name}
              </span>
            )}
            <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted">{data.subtitle}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-sm text-muted">No node has “{search}” in its name.</p>}
    </Dialog>
  );
}
