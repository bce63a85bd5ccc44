import { nodeOf, openEditor } from '../support/open-editor.js';
import { shot } from '../support/shot.js';
import { expect, test } from '../support/test.js';

const at = (x: number, y: number) => ({ coordinates: { x, y } });
const script = (x: number, y: number, more = {}) => ({
  type: 'SCRIPT',
  script: { source: 'cat in/*/* | sort | uniq -c > out/output.txt\n' },
  meta: at(x, y),
  ...more,
});
const DATA = {
  primitiveNodes: { 'file-input-1': { type: 'FILE', label: 'hosts', coordinates: { x: -300, y: 0 } } },
  nodes: {
    'resolve-1': script(0, 0, { cache: true, distribution: { input: 'file', mode: 'line' } }),
    'merge-1': script(300, 0),
    'approve-1': { type: 'APPROVAL', approval: { message: 'Report these hosts?' }, meta: at(600, 0) },
    'report-1': script(600, 140),
  },
  connections: [
    ['file-input-1/output', 'resolve-1/file'],
    ['resolve-1/folder', 'merge-1/folder'],
    ['merge-1/file', 'approve-1/file'],
    ['merge-1/file', 'report-1/file'],
  ].map(([from = '', to = '']) => ({
    source: { id: `output/${from}` },
    destination: { id: `input/${to}/${from.split('/')[0] ?? ''}` },
  })),
  annotations: { 'note-1': { text: 'Hosts come from the inventory.', coordinates: { x: -300, y: 140 } } },
};

test('editor', async ({ signedIn: page, account, problems }) => {
  problems.allow(/status of 40[49]/);
  const { client, space } = account;
  const empty = await client.workflows.create(space, { name: 'Empty workflow' });
  await openEditor(page, empty.id);
  await expect(page.getByText('This workflow has no nodes yet')).toBeVisible();
  await shot(page, 'editor-empty');
  await page.keyboard.press('a');
  await expect(page.getByRole('option').first()).toBeVisible();
  await shot(page, 'editor-add-step');

  const workflow = await client.workflows.create(space, { name: 'Hosts to report' });
  const { id } = await client.versions.save(workflow.id, { data: DATA });
  await openEditor(page, workflow.id);
  await expect(nodeOf(page, 'report-1')).toBeVisible();
  await shot(page, 'editor');
  await nodeOf(page, 'resolve-1').click();
  await page.getByLabel('Runs only if').fill('nodes.merge-2.lines > 0');
  await page.getByRole('button', { name: '1 error' }).click();
  await shot(page, 'editor-problems');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Run Hosts to report' })).toBeVisible();
  await shot(page, 'editor-run');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Runs only if').fill('');
  await page.getByLabel('Retries').fill('3');

  const { 'resolve-1': _changed, ...nodes } = DATA.nodes;
  const theirs = { ...DATA, nodes: { ...nodes, 'resolve-1': script(0, 0, { retries: 1 }) } };
  await client.versions.save(workflow.id, { data: theirs, expected_version_id: id, name: 'Without a cache' });
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect(page.getByRole('dialog', { name: 'Save a version' })).toBeVisible();
  await shot(page, 'editor-save');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('changed by both')).toBeVisible();
  await shot(page, 'editor-conflict');
  await page.getByRole('button', { name: 'Decide later' }).click();

  await page.getByRole('button', { name: 'YAML' }).click();
  await expect(page.getByLabel('Workflow as YAML')).toContainText('resolve-1');
  await shot(page, 'editor-yaml');
  await page.getByRole('button', { name: 'Versions' }).click();
  await expect(page.getByText('Without a cache')).toBeVisible();
  await shot(page, 'editor-versions');
  await page.getByRole('link', { name: 'Changes' }).click();
  await expect(page.getByRole('heading', { name: 'Version 1 to 2' })).toBeVisible();
  await expect(page.locator('.react-flow__node').first()).toBeVisible();
  await shot(page, 'editor-version-changes');
  await page.goto('/workflows/01a20000-0000-7000-8000-000000000000');
  await expect(page.getByText('not_found')).toBeVisible();
  await shot(page, 'editor-missing');
});
