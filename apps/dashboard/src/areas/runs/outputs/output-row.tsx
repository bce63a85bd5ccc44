import type { Output } from '@millrace/client';
import { apiUrl } from '../../../api/client.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { buttonClass } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';
import { modulePathOf } from '../shared/module-path.js';
import { iconOf } from './output-icon.js';

interface OutputRowProps {
  output: Output;
  isOpen: boolean;
  onToggle: () => void;
  /** Whether the node is named, because outputs of several are listed. */
  withNode: boolean;
}

export function OutputRow({ output, isOpen, onToggle, withNode }: OutputRowProps) {
  const { path, name, size, label, node, task_index: index } = output;
  const modulePath = modulePathOf(node);
  return (
    <div className="flex min-h-9 items-center gap-2 pr-1 pl-3 text-sm hover:bg-hover">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex min-w-0 flex-1 items-center gap-2.5 py-1.5 text-left"
      >
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} className="text-muted" />
        <Icon name={iconOf(output)} className="text-muted" />
        <span dir="auto" className="min-w-0 truncate" title={path}>
          {withNode && modulePath !== undefined && <span className="text-muted">{modulePath} / </span>}
          {withNode && <span className="font-medium">{label} </span>}
          <span className={withNode ? 'text-muted' : ''}>{path}</span>
        </span>
        {index !== undefined && <span className="nums text-xs whitespace-nowrap text-muted">child {index}</span>}
        <span className="nums ml-auto pl-2 text-xs whitespace-nowrap text-muted">{formatBytes(size)}</span>
      </button>
      <a
        href={downloadUrl(output)}
        download={name}
        aria-label={`Download ${path}`}
        title="Download"
        className={buttonClass('quiet', true)}
      >
        <Icon name="download" />
      </a>
    </div>
  );
}

export const downloadUrl = ({ id }: Pick<Output, 'id'>): string =>
  apiUrl(`/outputs/${encodeURIComponent(id)}/download`);
