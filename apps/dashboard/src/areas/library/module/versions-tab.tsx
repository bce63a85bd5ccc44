import { useInfiniteQuery } from '@tanstack/react-query';
import type { ModuleVersion, ModuleWithNode } from '@millrace/client';
import { useMemberName } from '../../../api/members.js';
import { countOf } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { CELL, HEAD_CELL, Table } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { versionsQuery } from '../queries.js';

/** The versions of a module, newest first. */
export function VersionsTab({ module }: { module: ModuleWithNode }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    versionsQuery(module.id),
  );
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  const versions = data.pages.flatMap(({ results }) => results);
  return (
    <>
      <p className="mb-3 max-w-3xl text-sm text-muted">
        Nodes keep the version that they were made from. They get a newer one when their workflow is saved with it.
      </p>
      <Table
        label="Versions"
        head={['Version', 'Made', 'By', 'Inputs', 'Outputs'].map((title) => (
          <th key={title} scope="col" className={HEAD_CELL}>
            {title}
          </th>
        ))}
      >
        {versions.map((version) => (
          <VersionRow key={version.number} version={version} isCurrent={version.number === module.version} />
        ))}
      </Table>
      {hasNextPage && (
        <Button className="mt-3" isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}

function VersionRow({ version, isCurrent }: { version: ModuleVersion; isCurrent: boolean }) {
  const author = useMemberName(version.author);
  const { inputs = [], outputs = [] } = version;
  return (
    <tr>
      <td className={`${CELL} nums font-medium`}>
        {version.number}
        {isCurrent && <span className="ml-2 text-xs font-normal text-muted">current</span>}
      </td>
      <td className={`${CELL} text-muted`}>
        <Time value={version.created_date} />
      </td>
      <td className={`${CELL} max-w-56 truncate text-muted`} dir="auto">
        {author ?? version.author}
      </td>
      <td className={`${CELL} w-full max-w-0 truncate text-muted`}>
        {inputs.length === 0 ? 'none' : inputs.map(({ name }) => name).join(', ')}
      </td>
      <td className={`${CELL} text-muted`}>{countOf(outputs.length, 'output')}</td>
    </tr>
  );
}
