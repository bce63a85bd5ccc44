import { listMembers } from '@millrace/contracts/auth/members';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { getModule } from '@millrace/contracts/workflows/library';
import { getPublished } from '@millrace/contracts/workflows/snapshots';
import { html } from '@millrace/service/text/html';
import { factList, formatTime } from '../layout/fact-list.js';
import type { RecordPage, Visit } from './serve-record-page.js';

/** The maximum page size of a list. */
const MAX_MEMBERS = '1000';

/** A published workflow. */
export const PUBLISHED_PAGE: RecordPage = {
  path: '/library/workflows',
  noun: 'published workflow',
  async show(visit) {
    const published = await visit.call(getPublished, { params: { snapshotId: visit.id } });
    const body = html`${published.description ? html`<p>${published.description}</p>` : null}${factList([
      ['Workflow', published.workflow_name],
      ['Version', String(published.version_number)],
      ['Space', published.space_name],
      ['Author', await nameAuthor(visit, published.author)],
      ['Published', formatTime(published.created_date)],
    ])}`;
    return { page: { title: published.name, body } };
  },
};

const KINDS = { TOOL: 'Tool', SCRIPT: 'Script', MODULE: 'Workflow module' };

/** A tool, a script, or a workflow that is a module. */
export const MODULE_PAGE: RecordPage = {
  path: '/library/module',
  noun: 'module',
  async show(visit) {
    const module = await visit.call(getModule, { params: { id: visit.id } });
    const body = html`${module.description ? html`<p>${module.description}</p>` : null}${factList([
      ['Kind', KINDS[module.type]],
      ['Category', module.category],
      ['Version', String(module.version)],
      ['Author', module.author && (await nameAuthor(visit, module.author))],
      ['Modified', formatTime(module.modified_date)],
    ])}`;
    return { page: { title: module.name, body } };
  },
};

/** Users who may list the vault's members see the author's name; others see the id that the API returns. */
async function nameAuthor({ call }: Visit, author: string): Promise<string> {
  try {
    const { results } = await call(listMembers, { query: { page_size: MAX_MEMBERS } });
    return results.find(({ id }) => id === author)?.name ?? author;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return author;
    throw error;
  }
}
