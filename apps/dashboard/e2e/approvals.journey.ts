import { expectAccessible } from './support/expect-accessible.js';
import { startRun } from './support/start-run.js';
import { expect, test } from './support/test.js';

const DEPLOYMENT = {
  name: 'Deployment',
  nodes: {
    'check-1': { type: 'SCRIPT', script: { source: 'exit 3' } },
    'approve-1': { type: 'APPROVAL', approval: { message: 'Deploy these changes?', role: 'write' } },
    'deploy-1': { type: 'SCRIPT', script: { source: 'cat in/approve-1/output.txt' } },
  },
  connections: [{ from: 'approve-1/file', to: 'deploy-1/file' }],
};

test(
  'a step is approved or rejected, a failed one is skipped, and a run is deleted',
  { tag: '@once' },
  async ({ account, signedIn: page }) => {
    const [approved, rejected] = [await startRun(account, DEPLOYMENT), await startRun(account, DEPLOYMENT)];
    const status = page.locator('#content header');
    const panel = page.getByRole('region', { name: 'Approval' });

    await page.goto(`/runs/${approved.id}`);
    await page
      .getByRole('button', { name: 'Decide' })
      .or(page.getByRole('link', { name: 'Decide' }))
      .click();
    await panel.getByLabel('Comment').fill('Reviewed with Kim');
    await expectAccessible(page);
    await panel.getByRole('button', { name: 'Approve' }).click();
    await expect(panel).toContainText('Approved by you');
    await expect(panel).toContainText('“Reviewed with Kim”');
    await expect(status.getByText('Failed', { exact: true })).toBeVisible({ timeout: 30_000 });

    await page.getByText('check', { exact: true }).first().click();
    await page.getByRole('button', { name: 'More actions for the step' }).click();
    await page.getByRole('menuitem', { name: 'Go on without it' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click();
    await expect(status.getByText('Completed')).toBeVisible({ timeout: 30_000 });

    await page.goto(`/runs/${rejected.id}`);
    await page.getByText('approve', { exact: true }).first().click();
    await panel.getByRole('button', { name: 'Reject' }).click();
    await expect(panel).toContainText('Rejected by you');
    await expect(status.getByText('Failed', { exact: true })).toBeVisible({ timeout: 30_000 });

    await page.getByRole('button', { name: 'More actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete run #${rejected.id} of “Deployment”?` });
    await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
    await dialog.getByLabel(/to confirm/).fill(`#${rejected.id}`);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(page).toHaveURL(/\/runs$/);
    await expect(page.getByRole('row', { name: new RegExp(`#${approved.id}\\b`) })).toBeVisible();
    await expect(page.getByRole('row', { name: new RegExp(`#${rejected.id}\\b`) })).toBeHidden();
  },
);
