import { memo } from 'react';
import { GraphPorts, type NodeViewProps } from '../../../graph/graph-view.js';
import { countOf } from '../../../text/format-count.js';
import { Icon, type IconName } from '../../../ui/icon.js';
import type { NodeFace } from './derive-graph.js';
import { NODE_KINDS } from './node-kinds.js';

const INPUT_KINDS: Partial<Record<NodeFace['kind'], true>> = { STRING: true, BOOLEAN: true, FILE: true, FOLDER: true };

/** A node on the canvas: what it is, its name, what it runs, and what is special about it. */
export const NodeCard = memo(({ node, isSelected }: NodeViewProps<NodeFace>) => {
  const { kind, title, subtitle, distribution, isCached, tables, errors, warnings, problem } = node.data;
  const icon = kind === 'GROUP' ? 'layers' : NODE_KINDS[kind].icon;
  const isInput = kind in INPUT_KINDS;
  const border = isSelected ? 'border-accent ring-2 ring-accent' : errors > 0 ? 'border-failed' : 'border-line-strong';
  return (
    <div
      title={
        [title === node.id || kind === 'GROUP' ? '' : `${title}, named ${node.id}`, problem]
          .filter(Boolean)
          .join('\n') || undefined
      }
      className={`flex size-full items-center gap-2.5 border bg-raised pr-3 pl-3.5 ${isInput ? 'rounded-[28px] pl-4' : 'rounded-md'} ${border}`}
    >
      <Icon name={icon} size={18} className={isInput ? 'text-accent-ink' : 'text-muted'} />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-left text-sm font-medium">
          {title}
        </p>
        <p className="truncate font-mono text-xs text-muted">{subtitle}</p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-0.5 self-stretch py-2">
        <div className="flex gap-1">
          {tables.length > 0 && <Mark icon="table" label={`Loads into ${tables.join(', ')}`} />}
          {isCached && <Mark icon="zap" label="Reuses earlier results" />}
          {errors + warnings > 0 && (
            <Icon
              name={errors > 0 ? 'circleAlert' : 'warning'}
              size={14}
              label={countOf(errors + warnings, 'problem')}
              className={errors > 0 ? 'text-failed' : 'text-stopped'}
            />
          )}
        </div>
        {distribution !== undefined && (
          <span className="mt-auto rounded-sm bg-accent-soft px-1 text-xs whitespace-nowrap text-accent-ink">
            {distribution}
          </span>
        )}
      </div>
      <GraphPorts node={node} />
    </div>
  );
});

const Mark = ({ icon, label }: { icon: IconName; label: string }) => (
  <Icon name={icon} size={14} label={label} className="text-muted" />
);
