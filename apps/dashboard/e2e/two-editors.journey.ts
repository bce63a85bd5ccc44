import { expectAccessible } from './support/expect-accessible.js';
import { nodeOf, openEditor, saveVersion } from './support/open-editor.js';
import { expect, test } from './support/test.js';

const node = (x: number) => ({ type: 'SCRIPT', script: { source: 'echo 1' }, meta: { coordinates: { x, y: 0 } } });

test('two people edit at once, and both changes survive', async ({ signedIn: first, account, openAs, problems }) => {
  // The second save is refused, and the browser reports that in the console.
  problems.allow(/status of 409/);
  const workflow = await account.client.workflows.create(account.space, { name: 'Of two' });
  await account.client.versions.save(workflow.id, { data: { nodes: { 'a-1': node(0), 'b-1': node(300) } } });
  const second = await openAs(account);
  await Promise.all([openEditor(first, workflow.id), openEditor(second, workflow.id)]);

  await nodeOf(second, 'a-1').click();
  await second.getByLabel('Retries').fill('2');
  await second.getByLabel('Timeout (seconds)').fill('60');
  await saveVersion(second, 2);

  await nodeOf(first, 'a-1').click();
  await first.getByLabel('Retries').fill('5');
  await first.keyboard.press('Escape');
  await first.keyboard.press('ArrowRight');
  await first.getByLabel('Label').fill('second step');
  await first.getByRole('button', { name: /^Save/ }).click();
  await first.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();

  const dialog = first.getByRole('dialog', { name: 'Somebody else saved a version' });
  await expect(dialog.getByText('changed by both')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save both changes' })).toBeDisabled();
  await expectAccessible(first);
  await dialog.getByLabel('Next version of Node a-1').selectOption('Both, yours where they differ');
  await dialog.getByRole('button', { name: 'Save both changes' }).click();
  await expect(first.getByText('Saved version 3 with the changes of both').first()).toBeVisible();
  const { data } = await account.client.versions.get(workflow.id, 'latest');
  expect(data['nodes']).toMatchObject({
    'a-1': { retries: 5, timeout_seconds: 60 },
    'b-1': { meta: { label: 'second step' } },
  });

  await first.getByRole('button', { name: 'Versions' }).click();
  await first.getByRole('link', { name: 'Changes' }).first().click();
  await expect(first.getByRole('heading', { name: 'Version 2 to 3' })).toBeVisible();
  await expect(first.getByText('2 nodes changed')).toBeVisible();
  await expectAccessible(first);
});
