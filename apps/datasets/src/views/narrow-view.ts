import type { queryView } from '@millrace/contracts/datasets/views';
import type { Input } from '@millrace/contracts/kit/operation';
import type { Column } from '@millrace/query/fields/column';
import { joinQueries } from '../exports/creation/join-queries.js';
import { checkSavedQuery, type SavedQuery } from './check-saved-query.js';

type Asked = Input<typeof queryView>['query'];

/**
 * What is asked of the table of a view: rows that both its condition and the given one let through, with the given
 * columns and order where there are any. Each is looked at by itself first, so that neither can reach into the other, and
 * a position is one in the text that its writer knows.
 * @throws ValidationError
 */
export function narrowView(view: SavedQuery, asked: Asked, columns: readonly Column[]): Asked {
  checkSavedQuery(
    { q: view.q, select: asked.select ? '' : view.select, order: asked.order ? '' : view.order },
    columns,
    'view',
  );
  checkSavedQuery(asked, columns, 'query');
  return {
    ...asked,
    q: joinQueries(view.q, asked.q, 'query.q'),
    select: asked.select || view.select,
    order: asked.order || view.order,
  };
}
