import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Dataset } from '@millrace/client';
import { solutionQuery } from './table-queries.js';

/** A name as a title. A name of 255 characters must leave room for the rows. */
export const Title = ({ name }: { name: string }) => (
  <span dir="auto" title={name} className="line-clamp-2">
    {name}
  </span>
);

/** Where a table is: its solution, and the table itself above a view. */
export function TablePath({ table, isTableLinked = false }: { table: Dataset; isTableLinked?: boolean }) {
  const solution = useQuery(solutionQuery(table.solution));
  return (
    <>
      <Link to="/tables" className="hover:text-ink">
        Tables
      </Link>
      {solution.data && (
        <>
          <span aria-hidden>/</span>
          <span className="max-w-80 truncate" dir="auto" title={solution.data.name}>
            {solution.data.name}
          </span>
        </>
      )}
      {isTableLinked && (
        <>
          <span aria-hidden>/</span>
          <Link
            to="/tables/$tableId"
            params={{ tableId: table.id }}
            className="max-w-80 truncate hover:text-ink"
            dir="auto"
          >
            {table.name}
          </Link>
        </>
      )}
    </>
  );
}
