import { getDataset } from '@millrace/contracts/datasets/datasets';
import { getView, queryView } from '@millrace/contracts/datasets/views';
import { ApiError } from '@millrace/contracts/kit/api-error';
import {
  getTableFollow,
  getViewFollow,
  unsetTableFollow,
  unsetViewFollow,
} from '@millrace/contracts/notifications/table-follows';
import { html, type Html } from '@millrace/service/text/html';
import { factList, formatTime } from '../layout/fact-list.js';
import { hidden } from '../layout/field.js';
import type { PageSession } from '../session/page-session.js';
import type { RecordPage, Visit } from './serve-record-page.js';

const UNFOLLOW = 'unfollow';

/** A Live Table. */
export const TABLE_PAGE: RecordPage = {
  path: '/datasets',
  noun: 'table',
  async show({ call, id, action, session }) {
    const params = { id };
    const table = await call(getDataset, { params });
    const { following } = await call(action === UNFOLLOW ? unsetTableFollow : getTableFollow, { params });
    const facts = factList([
      ['Description', table.description],
      ['Rows', formatCount(table.row_count)],
      ['Loaded', table.loaded_date && formatTime(table.loaded_date)],
    ]);
    const body = html`${facts}${followForm(`/datasets/${id}`, following, action, session)}`;
    return { page: { title: table.name, body }, needsSession: following };
  },
};

/** A view: a saved query on a Live Table. */
export const VIEW_PAGE: RecordPage = {
  path: '/solutions/:solution/views',
  noun: 'view',
  async show({ call, id, param, action, session }) {
    const solution = param('solution');
    const params = { solutionId: solution, viewId: id };
    const view = await call(getView, { params });
    const table = await call(getDataset, { params: { id: view.dataset } });
    const { following } = await call(action === UNFOLLOW ? unsetViewFollow : getViewFollow, { params });
    const facts = factList([
      ['Description', view.description],
      ['Table', table.name],
      ['Query', view.q],
      ['Matching rows', await countRows(call, params)],
      ['Loaded', table.loaded_date && formatTime(table.loaded_date)],
    ]);
    const body = html`${facts}${followForm(`/solutions/${solution}/views/${id}`, following, action, session)}`;
    return { page: { title: view.name, body }, needsSession: following };
  },
};

/** @returns why the query fails if it does, for example because its column no longer exists. The user may stop following then. */
async function countRows(call: Visit['call'], params: { solutionId: string; viewId: string }): Promise<string> {
  try {
    const { count = 0, count_is_estimate: isEstimate } = await call(queryView, { params, query: { page_size: '1' } });
    return `${isEstimate ? 'about ' : ''}${formatCount(count)}`;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return `unknown, because the query failed: ${error.message}`;
  }
}

const formatCount = (count: number): string => count.toLocaleString('en-US');

/** A button to stop following, or that this has just been done. */
function followForm(href: string, following: boolean, action: string, session: PageSession): Html | null {
  if (!following) return action === UNFOLLOW ? html`<p>You no longer follow it.</p>` : null;
  return html`<form method="post" action="${href}">
    ${hidden({ ...session })}
    <p>You follow it, and are notified of changes.</p>
    <button type="submit" name="action" value="${UNFOLLOW}">Stop following</button>
  </form>`;
}
