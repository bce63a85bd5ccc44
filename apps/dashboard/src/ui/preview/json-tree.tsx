import { type ReactNode, useState } from 'react';
import { countOf } from '../../text/format-count.js';

/** Children of one value that are shown at first, and with each step. */
const CHILDREN_PER_STEP = 100;

/** Depth to which a document is open at first. */
const OPEN_DEPTH = 2;

/** A JSON value as a tree. Closed parts are not rendered, so a large document costs as much as what is open. */
export const JsonTree = ({ value }: { value: unknown }) => (
  <div className="font-mono text-xs">
    <JsonNode value={value} depth={0} />
  </div>
);

interface JsonNodeProps {
  /** Name in the object, or position in the list. */
  name?: string | number;
  value: unknown;
  depth: number;
}

function JsonNode({ name, value, depth }: JsonNodeProps) {
  const label = name === undefined ? null : <NodeName name={name} />;
  if (typeof value !== 'object' || value === null)
    return (
      <div className="wrap-text pl-4 leading-6">
        {label}
        <Leaf value={value} />
      </div>
    );
  const children: [string | number, unknown][] = Array.isArray(value)
    ? value.map((child, at) => [at, child as unknown])
    : Object.entries(value);
  return (
    <Branch
      label={label}
      summary={
        Array.isArray(value) ? `[${countOf(children.length, 'item')}]` : `{${countOf(children.length, 'field')}}`
      }
      depth={depth}
    >
      {children}
    </Branch>
  );
}

interface BranchProps {
  label: ReactNode;
  summary: string;
  depth: number;
  children: [string | number, unknown][];
}

function Branch({ label, summary, depth, children }: BranchProps) {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH);
  const [shown, setShown] = useState(CHILDREN_PER_STEP);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="wrap-text rounded-sm leading-6 hover:bg-hover">
        {label}
        <span className="text-muted">{summary}</span>
      </summary>
      {isOpen && (
        <div className="ml-1.5 border-l border-line pl-2.5">
          {children.slice(0, shown).map(([name, child]) => (
            <JsonNode key={name} name={name} value={child} depth={depth + 1} />
          ))}
          {shown < children.length && (
            <button type="button" className="link ml-4 leading-6" onClick={() => setShown(shown + CHILDREN_PER_STEP)}>
              Show more ({countOf(children.length - shown, 'left', 'left')})
            </button>
          )}
        </div>
      )}
    </details>
  );
}

const NodeName = ({ name }: { name: string | number }) => (
  <span className="text-muted">
    <span className={typeof name === 'string' ? 'text-accent-ink' : ''}>{name}</span>:{' '}
  </span>
);

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className="text-succeeded">{JSON.stringify(value)}</span>;
  if (value === null) return <span className="text-muted">null</span>;
  return <span className="text-running">{JSON.stringify(value)}</span>;
}
