import { useInfiniteQuery } from '@tanstack/react-query';
import { apiUrl } from '../../../api/client.js';
import { buttonClass } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';
import type { outputsQuery } from './outputs-query.js';

interface DownloadAllProps {
  run: string;
  /** Only the outputs of this node. */
  node?: string;
  /** Only the named outputs. */
  named?: boolean;
  /** The list of the same outputs. With fewer than two, there is nothing to combine. */
  list: ReturnType<typeof outputsQuery>;
}

/** Downloads outputs as one zip archive. The browser shows its progress, and whether it is complete. */
export function DownloadAll({ run, node, named = false, list }: DownloadAllProps) {
  const { data } = useInfiniteQuery(list);
  if ((data?.pages[0]?.count ?? 0) < 2) return null;
  const query = new URLSearchParams({ ...(node !== undefined && { node }), ...(named && { named: 'true' }) });
  const path = `/runs/${encodeURIComponent(run)}/outputs/archive`;
  return (
    <a
      href={apiUrl(query.size > 0 ? `${path}?${query}` : path)}
      download
      className={buttonClass()}
      title="One zip archive with a folder for each node"
    >
      <Icon name="download" />
      Download all
    </a>
  );
}
