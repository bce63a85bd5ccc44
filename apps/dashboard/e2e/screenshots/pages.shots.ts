import type { Page } from '@playwright/test';
import type { MillraceClient } from '@millrace/client';
import { createSample } from '../../src/sample/create-sample.js';
import { shot } from '../support/shot.js';
import { NO_SESSION, test } from '../support/test.js';

/** A page has settled if nothing has been requested for half a second; the streams of the page do not count. */
async function open(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForTimeout(700);
  await shot(page, name);
}

const BROKEN = `millrace: 1
name: Probe hosts
description: Fails for some of its items
data:
  nodes:
    list-1: { type: SCRIPT, script: { source: seq 1 60 } }
    probe-1:
      type: SCRIPT
      distribution: { input: file, mode: line }
      script:
        source: |
          n=$(cat in/list-1/*)
          echo "probing host-$n.example.org"
          if [ $((n % 20)) = 7 ]; then echo "connection refused by host-$n.example.org" >&2; exit 3; fi
          echo "host-$n.example.org open 443"
    report-1: { type: SCRIPT, script: { source: "cat in/probe-1/*/output.txt | sort" } }
  connections:
    - { from: list-1/file, to: probe-1/file }
    - { from: probe-1/folder, to: report-1/folder }
`;

/** A vault in which something has happened. */
async function seed(client: MillraceClient, space: string) {
  const { workflow, table } = await createSample(client, space);
  const sample = await client.workflows.run(workflow);
  await client.workflows.import({ yaml: BROKEN }, { query: { space } }).then(async ({ id }) => {
    await client.schedules.set(id, { cron: '0 6 * * 1-5', timezone: 'Europe/Berlin' });
    const { id: run } = await client.workflows.run(id);
    await client.runs.wait(run);
  });
  await client.runs.wait(sample.id);
  await client.files.upload('lists/hosts.txt', new Blob(['a.example.org\nb.example.org\n']));
  const { results: runs } = await client.runs.list({ status: 'FAILED', page_size: 1 });
  return { workflow, table, failed: runs[0]?.id ?? '' };
}

const EMPTY_PAGES = ['/', '/workflows', '/runs', '/tables', '/library', '/files', '/schedules', '/notifications'];

test('every page of a new account', async ({ signedIn: page }) => {
  for (const path of EMPTY_PAGES) await open(page, path, `empty${path === '/' ? '-home' : path.replaceAll('/', '-')}`);
});

test('every page of an account with data', async ({ signedIn: page, account }) => {
  const { workflow, table, failed } = await seed(account.client, account.space);
  const { results: modules } = await account.client.modules.list({ page_size: 1 });
  const pages: Record<string, string> = {
    home: '/',
    workflows: '/workflows',
    editor: `/workflows/${workflow}`,
    'editor-yaml': `/workflows/${workflow}?view=yaml`,
    'workflow-runs': `/workflows/${workflow}/runs`,
    runs: '/runs',
    'run-failed': `/runs/${failed}`,
    'run-failed-graph': `/runs/${failed}?view=graph`,
    tables: '/tables',
    table: `/tables/${table}`,
    library: '/library',
    module: `/library/modules/${modules[0]?.id ?? ''}`,
    files: '/files',
    schedules: '/schedules',
    notifications: '/notifications',
    'settings-profile': '/settings/profile',
    'settings-security': '/settings/security',
    'settings-sessions': '/settings/sessions',
    'settings-developer': '/settings/developer',
    device: '/device',
  };
  for (const [name, path] of Object.entries(pages)) await open(page, path, name);
});

test('pages before the sign-in, and problems', async ({ page, problems }) => {
  problems.allow(NO_SESSION);
  problems.allow(/status of 40\d/);
  await open(page, '/signup', 'sign-up');
  await open(page, '/password-reset', 'password-reset');
  await open(page, '/password-reset?token=x', 'password-new');
  await open(page, '/invitations/accept?token=x', 'invitation-invalid');
  await open(page, '/login?error=expired_attempt', 'sign-in-problem');
});

test('what a page shows if its record does not exist', async ({ signedIn: page, problems }) => {
  problems.allow(/status of 404/);
  await open(page, '/nothing/here', 'not-found');
  await open(page, '/runs/999999', 'run-not-found');
  await open(page, '/workflows/01990000-0000-7000-8000-000000000000', 'workflow-not-found');
  await open(page, '/tables/01990000-0000-7000-8000-000000000000', 'table-not-found');
});
