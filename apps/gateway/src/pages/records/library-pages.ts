import { listMembers } from '@millrace/contracts/auth/members';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { getModule } from '@millrace/contracts/workflows/library';
import { getPublished } from '@millrace/contracts/workflows/snapshots';
import { html } from '@millrace/service/html';
import { facts } from '../layout/fact-list.js';
import { sayTime } from '../layout/format-time.js';
import type { Linked, Visit } from './serve-record-page.js';

/** The largest page of a list. */
const MAX_MEMBERS = '1000';

/** A workflow that was published. */
export const PUBLISHED_PAGE: Linked = {
  path: '/library/workflows',
  noun: 'published workflow',
  async show(visit) {
    const published = await visit.ask(getPublished, { params: { snapshotId: visit.id } });
    const body = html`${published.description ? html`<p>${published.description}</p>` : null}${facts([
      ['Workflow', published.workflow_name],
      ['Version', String(published.version_number)],
      ['Space', published.space_name],
      ['Author', await nameAuthor(visit, published.author)],
      ['Published', sayTime(published.created_date)],
    ])}`;
    return { page: { title: published.name, body } };
  },
};

const KINDS = { TOOL: 'Tool', SCRIPT: 'Script', MODULE: 'Workflow as a module' };

/** A tool, a script, or a workflow that was made a module. */
export const MODULE_PAGE: Linked = {
  path: '/library/module',
  noun: 'module',
  async show(visit) {
    const module = await visit.ask(getModule, { params: { id: visit.id } });
    const body = html`${module.description ? html`<p>${module.description}</p>` : null}${facts([
      ['Kind', KINDS[module.type]],
      ['Category', module.category],
      ['Version', String(module.version)],
      ['Author', module.author && (await nameAuthor(visit, module.author))],
      ['Changed', sayTime(module.modified_date)],
    ])}`;
    return { page: { title: module.name, body } };
  },
};

/** Names are for those who see the users of the vault; others see the id that the API gives them. */
async function nameAuthor({ ask }: Visit, author: string): Promise<string> {
  try {
    const { results } = await ask(listMembers, { query: { page_size: MAX_MEMBERS } });
    return results.find(({ id }) => id === author)?.name ?? author;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return author;
    throw error;
  }
}
