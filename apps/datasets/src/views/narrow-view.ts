import type { queryView } from '@millrace/contracts/datasets/views';
import type { Input } from '@millrace/contracts/kit/operation';
import type { Column } from '@millrace/query/fields/column';
import { joinQueries } from '../exports/creation/join-queries.js';
import { checkSavedQuery, type SavedQuery } from './check-saved-query.js';

type ViewQuery = Input<typeof queryView>['query'];

/**
 * Combines a view with the query on it: rows match both conditions, and the query's `select` and `order`, if present,
 * replace the view's. Both conditions are checked separately first. So neither can change the meaning of the other, and
 * the position of an error refers to the text that its author wrote.
 * @throws ValidationError
 */
export function narrowView(view: SavedQuery, query: ViewQuery, columns: readonly Column[]): ViewQuery {
  checkSavedQuery(
    { q: view.q, select: query.select ? '' : view.select, order: query.order ? '' : view.order },
    columns,
    'view',
  );
  checkSavedQuery(query, columns, 'query');
  return {
    ...query,
    q: joinQueries(view.q, query.q, 'query.q'),
    select: query.select || view.select,
    order: query.order || view.order,
  };
}
