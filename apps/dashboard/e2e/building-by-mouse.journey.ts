import { expectAccessible } from './support/expect-accessible.js';
import { connectByMouse, drawConnection, graphOf, nodeOf, openEditor, saveVersion } from './support/open-editor.js';
import { expect, test } from './support/test.js';

test('five nodes are built with the mouse alone, saved, and run', async ({ signedIn: page, account }) => {
  const workflow = await account.client.workflows.create(account.space, { name: 'By mouse' });
  await openEditor(page, workflow.id);
  const entry = (name: string) => page.locator('[data-item]', { hasText: name }).first();
  const drag = (name: string, x: number, y: number) => entry(name).dragTo(graphOf(page), { targetPosition: { x, y } });

  await drag('File input', 150, 180);
  await expect(nodeOf(page, 'file-input-1')).toBeVisible();
  await drag('Splitter', 150, 330);
  await expect(nodeOf(page, 'splitter-1')).toBeVisible();
  await connectByMouse(page, ['file-input-1', 'output'], ['splitter-1', 'multiple']);
  await expect(page.getByText('Nothing is connected')).toHaveCount(0);

  // A click adds a step after the selected one, and connects both.
  await nodeOf(page, 'splitter-1').click();
  await entry('Script').click();
  await expect(nodeOf(page, 'script-1')).toBeVisible();
  await entry('Script').click();
  await expect(nodeOf(page, 'script-2')).toBeVisible();
  await entry('sort-lines').click();
  await expect(nodeOf(page, 'sort-lines-1')).toBeVisible();
  await page.getByRole('button', { name: 'Lay out all nodes' }).click();
  await expect(page.locator('.react-flow__edge')).toHaveCount(4);
  await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible();
  await drawConnection(page, ['splitter-1', 'output'], ['script-1', 'folder']);
  await expect(page.getByText(/accepts a folder, and this port provides one item of a splitter/)).toBeVisible();
  await page.mouse.up();
  await expect(page.locator('.react-flow__edge')).toHaveCount(4);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Undo: Lay out' }).click();
  await page.getByRole('button', { name: 'Redo: Lay out' }).click();
  await saveVersion(page, 1);

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await dialog.getByLabel('Upload a file').setInputFiles({
    name: 'lines.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('b\na\n'),
  });
  await expect(dialog.getByLabel(/file-input-1/)).toHaveValue('millrace://file/uploads/lines.txt');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page).toHaveURL(/\/runs\/\d+/);
});
