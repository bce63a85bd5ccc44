import { expect, type Locator, type Page } from '@playwright/test';

/** The graph of the open workflow. */
export const graphOf = (page: Page): Locator => page.getByRole('application', { name: /^Workflow / });

/** A node's card on the graph. */
export const nodeOf = (page: Page, name: string): Locator => page.locator(`.react-flow__node[data-id="${name}"]`);

/** Opens a workflow in the editor, and waits until it can be edited. */
export async function openEditor(page: Page, workflow: string): Promise<void> {
  await page.goto(`/workflows/${workflow}`);
  await expect(graphOf(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Library' })).toBeVisible();
}

type Port = [node: string, name: string];

/** Draws a connection with the mouse from an output to an input, and does not release the button. */
export async function drawConnection(page: Page, source: Port, target: Port): Promise<void> {
  const boxOf = ([node, name]: Port, side: string) =>
    nodeOf(page, node).locator(`.${side}[data-port="${name}"]`).boundingBox();
  const [from, to] = await Promise.all([boxOf(source, 'source'), boxOf(target, 'target')]);
  if (!from || !to) throw new Error(`A port of ${source.join('/')} or ${target.join('/')} is not shown.`);
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
}

/** Connects an output with an input by the mouse. */
export async function connectByMouse(page: Page, source: Port, target: Port): Promise<void> {
  await drawConnection(page, source, target);
  await page.mouse.up();
}

/** Saves a version without a name. */
export async function saveVersion(page: Page, number: number): Promise<void> {
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(`Saved version ${number}`).first()).toBeVisible();
}
