import { expectAccessible } from './support/expect-accessible.js';
import { graphOf, nodeOf, openEditor, saveVersion } from './support/open-editor.js';
import { ENDED_STREAM, expect, NO_SESSION, test } from './support/test.js';

const node = (x: number, label?: string) => ({
  type: 'SCRIPT',
  script: { source: 'echo 1' },
  meta: { coordinates: { x, y: 0 }, ...(label !== undefined && { label }) },
});

test(
  'an edit survives the end of the session, and is saved after the sign-in over the page',
  { tag: '@once' },
  async ({ signedIn: page, account, problems }) => {
    problems.allow(NO_SESSION);
    problems.allow(ENDED_STREAM);
    const workflow = await account.client.workflows.create(account.space, { name: 'Signed out' });
    await account.client.versions.save(workflow.id, { data: { nodes: { 'a-1': node(0) } } });
    await openEditor(page, workflow.id);
    await nodeOf(page, 'a-1').click();
    await page.getByLabel('Arguments').fill('--all\ntwo words');
    await account.client.sessions.endOthers();
    await page.getByLabel('Retries').fill('3');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password').fill(account.password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByLabel('Retries')).toHaveValue('3');
    await saveVersion(page, 2);
    const { data } = await account.client.versions.get(workflow.id, 'latest');
    expect(data['nodes']).toMatchObject({ 'a-1': { retries: 3, script: { args: ['--all', 'two words'] } } });
  },
);

test(
  'two tabs show the same edits, and Back and Forward keep what is open',
  { tag: '@once' },
  async ({ signedIn: first, context, account }) => {
    const workflow = await account.client.workflows.create(account.space, { name: 'In two tabs' });
    await account.client.versions.save(workflow.id, { data: { nodes: { 'a-1': node(0), 'b-1': node(300) } } });
    await openEditor(first, workflow.id);
    await nodeOf(first, 'a-1').click();
    await first.getByLabel('Label').fill('From the first tab');
    const second = await context.newPage();
    await openEditor(second, workflow.id);
    await expect(nodeOf(second, 'a-1')).toContainText('From the first tab');
    await nodeOf(second, 'b-1').click();
    await second.getByLabel('Label').fill('From the second tab');
    await expect(nodeOf(first, 'b-1')).toContainText('From the second tab');
    await saveVersion(first, 2);
    await expect(second.getByText('Version 2', { exact: true })).toBeVisible();

    await second.getByRole('button', { name: 'YAML' }).click();
    await expect(second.getByLabel('Workflow as YAML')).toContainText('From the first tab');
    await second.goBack();
    await expect(second.getByRole('heading', { name: 'From the second tab' })).toBeVisible();
    await second.getByRole('button', { name: 'Versions' }).click();
    await expect(second.getByRole('heading', { name: 'Versions' })).toBeVisible();
    await second.getByRole('link', { name: 'Runs', exact: true }).first().click();
    await second.goBack();
    await expect(second.getByRole('heading', { name: 'Versions' })).toBeVisible();
    await second.goBack();
    await expect(second.getByRole('heading', { name: 'From the second tab' })).toBeVisible();
    await second.goForward();
    await expect(second.getByRole('heading', { name: 'Versions' })).toBeVisible();
  },
);

test(
  'long, right-to-left, HTML and emoji names stay inside of their places',
  { tag: '@once' },
  async ({ signedIn: page, account }) => {
    const name = `${'كبير'.repeat(20)} <img src=x onerror=alert(1)> 🧪 ${'x'.repeat(120)}`.slice(0, 255);
    const workflow = await account.client.workflows.create(account.space, { name });
    const long = 'n'.repeat(255);
    const nodes = { [long]: node(0), '<b>bold<b>': node(300, name), 'تجربة-1': node(600) };
    await account.client.versions.save(workflow.id, { data: { nodes } });
    await openEditor(page, workflow.id);
    await expect(graphOf(page)).toHaveAccessibleName(`Workflow ${name}`);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Name of the node' }).fill('onerror');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('heading', { name: long })).toBeVisible();
    const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(overflow)).toBe(0);
    await expectAccessible(page);
  },
);
